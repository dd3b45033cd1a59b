import type { Language } from "../words";

export type Title = Record<Language, string>;

export interface Exercise {
  id: string;
  passed: boolean;
}

/** The cells from one second-level heading to the next. */
export interface Section {
  title: Title;
  /** Ids of the cells that hold its heading. */
  cells: Title;
  /** How many code cells it has, and how many of them have run. */
  code: number;
  run: number;
  exercises: Exercise[];
}

export interface Chapter {
  id: string;
  number: number;
  title: Title;
  /** Path of the person's notebook, from the server's root. */
  path: string;
  /** Whether the person's copy is absent, as shipped now or earlier, or theirs. */
  state: "missing" | "shipped" | "outdated" | "edited";
  sections: Section[];
}

export interface Progress {
  done: number;
  count: number;
}

/** A section is done when its exercises are passed or, without any, when all its code has run. */
export function isDone({ exercises, code, run }: Section): boolean {
  return exercises.length > 0 ? exercises.every(({ passed }) => passed) : code > 0 && run === code;
}

/** Sections done, of those that have something to run. */
export function progressOf({ sections }: Chapter): Progress {
  const counted = sections.filter(({ code }) => code > 0);
  return { done: counted.filter(isDone).length, count: counted.length };
}

/** Exercises passed over several chapters. */
export function exercisesOf(chapters: readonly Chapter[]): Progress {
  const all = chapters.flatMap(({ sections }) => sections.flatMap(({ exercises }) => exercises));
  return { done: all.filter(({ passed }) => passed).length, count: all.length };
}

export function isChapterDone(chapter: Chapter): boolean {
  const { done, count } = progressOf(chapter);
  return count > 0 && done === count;
}
