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
    "02-autograd": {
        "predict-gradient": {"gradient = None": "gradient = 33"},
        "chain-rule": {"return None": "return 2 * x.sin() * x.cos()"},
        "mean-loss": {"return None": "return torch.stack([loss.detach() for loss in losses]).mean()"},
    },
    "03-functions": {
        "cube": {"return None  # slip: the author wrote gradient * x**2": "return gradient * 3 * x**2"},
        "swish": {"return None": "return gradient * (gate + x * gate * (1 - gate))"},
        "straight-through": {"return None": "return gradient"},
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
    "02-autograd": {
        "predict-gradient": {"gradient = None": "gradient = 27"},
        "chain-rule": {"return None": "return 2 * x.sin()"},
        "mean-loss": {"return None": "return sum(losses) / len(losses)"},
    },
    "03-functions": {
        "cube": {"return None  # slip: the author wrote gradient * x**2": "return gradient * x**2"},
        "swish": {"return None": "return gradient * gate"},
        "straight-through": {"return None": "return torch.ones_like(gradient)"},
    },
}
