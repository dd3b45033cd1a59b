/** The page's language. The extension sets it; without the extension the kernel's language is taken. */

export type Language = "en" | "zh-CN";

const EVENT = "torchloupe-language";

function parse(tag: string | undefined): Language | undefined {
  const primary = tag?.split(/[-_]/)[0]?.toLowerCase();
  return primary === "zh" ? "zh-CN" : primary === "en" ? "en" : undefined;
}

/** The language to draw in; `kernel` is what the kernel speaks. */
export function pageLanguage(kernel: string): Language {
  return parse(document.documentElement.dataset.torchloupeLang) ?? parse(kernel) ?? "en";
}

/** Calls `listener` whenever the person changes the language, until `signal` aborts. */
export function onLanguage(listener: () => void, signal: AbortSignal): void {
  window.addEventListener(EVENT, listener, { signal });
}
