/** Sentences from a room's `words.json`; the twin of `words.py`. */

import type { Language } from "./language";

export type Entries = Readonly<Record<string, Readonly<Record<Language, string>>>>;
export type Arguments = Readonly<Record<string, string | number>>;

const SLOT = /\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}/g;

/** Replaces each slot of `template`; `{n:cell|cells}` takes the first form when `n` is 1. */
export function fill(template: string, args: Arguments): string {
  return template.replace(SLOT, (_match, name: string, one?: string, many?: string) => {
    const value = args[name];
    if (value === undefined) throw new Error(`no argument "${name}" for "${template}"`);
    if (one === undefined) return String(value);
    return value === 1 ? one : String(many);
  });
}

/** Words `id` in one language. */
export type Say = (id: string, args?: Arguments) => string;

/** A `Say` for the view's own `entries` and the `extra` ones that came from the kernel, in `language()` at each call. */
export function speaker(entries: Entries, extra: () => Entries, language: () => Language): Say {
  return (id, args = {}) => {
    const entry = entries[id] ?? extra()[id];
    if (entry === undefined) throw new Error(`no words for "${id}"`);
    return fill(entry[language()], args);
  };
}
