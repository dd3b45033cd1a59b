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

/** A view's own words as the bundle holds them: `[en, zh-CN]` by id, without the `view.` prefix. */
type Bundled = Readonly<Record<string, readonly [string, string]>>;

/**
 * Words for a view, in `language()` at each call.
 *
 * @param bundled the room's `words.json`, which the bundler reduces to the view's own words
 * @param extra the words that came with the kernel's frame
 */
export function speaker(bundled: unknown, extra: () => Entries, language: () => Language): Say {
  const own = bundled as Bundled;
  return (id, args = {}) => {
    const spoken = language();
    const template = own[id]?.[spoken === "en" ? 0 : 1] ?? extra()[id]?.[spoken];
    if (template === undefined) throw new Error(`no words for "${id}"`);
    return fill(template, args);
  };
}
