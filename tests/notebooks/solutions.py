"""What solves the exercises of each chapter: text of the shipped cell → text that replaces it."""

SOLUTIONS = {
    "01-strides": {
        "predict-stride": {"stride = None": "stride = (12, 4, 2)", "offset = None": "offset = 4"},
        "channels-first": {"return None": "return image.permute(2, 0, 1)"},
        "windows": {
            "return None": (
                "hop = signal.stride(0)\n"
                "    count = (len(signal) - size) // step + 1\n"
                "    return torch.as_strided(signal, (count, size), (step * hop, hop))"
            )
        },
    },
}

MISTAKES = {
    "01-strides": {
        "predict-stride": {"stride = None": "stride = (4, 2, 1)"},
        "channels-first": {"return None": "return image.permute(2, 0, 1).contiguous()"},
        "windows": {
            "return None": "return signal.as_strided(((len(signal) - size) // step + 1, size), (step, 1))"
        },
    },
}
