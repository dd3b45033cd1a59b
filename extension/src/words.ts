/** What this extension says in the course's language, which may differ from JupyterLab's own locale. */
import entries from "./words.json";

export type Language = "en" | "zh-CN";

export type WordId = keyof typeof entries;

const SLOT = /\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}/g;

/** Word an entry of `words.json`. `{name}` is replaced by an argument, `{count:cell|cells}` by the form it asks for. */
export function word(language: Language, id: WordId, args: Record<string, string | number> = {}): string {
  return entries[id][language].replace(SLOT, (_, name: string, one?: string, many?: string) => {
    const value = args[name] ?? "";
    return one === undefined ? String(value) : ((value === 1 ? one : many) ?? "");
  });
}
