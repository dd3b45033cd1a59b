/** Chapters and their sections as a tree: rows, their accessible names, and nothing that moves. */
import { checkIcon, ellipsesIcon } from "@jupyterlab/ui-components";
import { type Language, word } from "../words";
import { type Chapter, isChapterDone, isDone, progressOf, type Section } from "./chapter";
import { element } from "./element";

/** What the tree shows besides the chapters themselves. */
export interface TreeState {
  language: Language;
  /** The chapter whose notebook the person is in. */
  current: string | undefined;
  /** Whether a chapter shows its sections. */
  expanded(chapter: Chapter): boolean;
  /** The section the active cell stands in, of the current chapter. */
  section: number;
}

/** Rows carry `data-chapter` and, for a section, `data-section`; `data-key` names a row across redraws. */
export function drawTree(chapters: readonly Chapter[], state: TreeState): HTMLUListElement {
  const label = word(state.language, "course.chapters");
  return element(
    "ul",
    { class: "torchloupe-tree", role: "tree", "aria-label": label },
    ...chapters.map((chapter) => drawChapter(chapter, state)),
  );
}

function drawChapter(chapter: Chapter, state: TreeState): HTMLLIElement {
  const { language } = state;
  const isCurrent = chapter.id === state.current;
  const expanded = state.expanded(chapter);
  const title = chapter.title[language];
  const mark = markOf(chapter, language);
  const number = String(chapter.number).padStart(2, "0");
  const row = element(
    "div",
    { class: "torchloupe-row" },
    element("span", { class: "torchloupe-number" }, number),
    element("span", { class: "torchloupe-title", title }, title),
    mark.shown,
    drawMore(title, language),
  );
  const item = element(
    "li",
    {
      role: "treeitem",
      class: "torchloupe-chapter",
      "aria-level": 1,
      "aria-expanded": expanded,
      "aria-selected": isCurrent && state.section < 0,
      "aria-label": [number, title, mark.spoken].filter(Boolean).join(" "),
      "data-key": chapter.id,
      "data-chapter": chapter.id,
      "data-state": chapter.state,
      tabindex: -1,
    },
    row,
  );
  item.toggleAttribute("data-current", isCurrent);
  if (expanded) {
    const sections = chapter.sections.map((section, index) =>
      drawSection(chapter, section, index, isCurrent && index === state.section, language),
    );
    item.append(element("ul", { role: "group" }, ...sections));
  }
  return item;
}

function markOf(chapter: Chapter, language: Language): { shown: Node; spoken: string } {
  const { done, count } = progressOf(chapter);
  if (chapter.state === "missing") {
    const missing = word(language, "course.missing");
    return { shown: element("span", { class: "torchloupe-note" }, missing), spoken: missing };
  }
  if (isChapterDone(chapter)) {
    const shown = element("span", { class: "torchloupe-done", title: word(language, "course.done") });
    checkIcon.element({ container: shown });
    return { shown, spoken: word(language, "course.done") };
  }
  const share = done > 0 ? `${done} / ${count}` : "";
  return { shown: element("span", { class: "torchloupe-share" }, share), spoken: share };
}

function drawMore(title: string, language: Language): HTMLButtonElement {
  const label = word(language, "course.more", { title });
  const more = element("button", {
    type: "button",
    class: "torchloupe-more",
    tabindex: -1,
    "aria-label": label,
    "aria-haspopup": "menu",
    title: label,
  });
  ellipsesIcon.element({ container: more });
  return more;
}

function drawSection(
  chapter: Chapter,
  section: Section,
  index: number,
  isCurrent: boolean,
  language: Language,
): HTMLLIElement {
  const title = section.title[language];
  const done = isDone(section);
  const isExercise = section.exercises.length > 0;
  const spoken = [
    title,
    isExercise ? word(language, "course.exercise") : "",
    done ? word(language, isExercise ? "course.passed" : "course.seen") : "",
  ];
  const row = element(
    "div",
    { class: "torchloupe-row" },
    drawBullet(isExercise, done),
    element("span", { class: "torchloupe-title", title }, title),
    element("span", { class: "torchloupe-note" }, isExercise ? word(language, "course.exercise") : ""),
  );
  return element(
    "li",
    {
      role: "treeitem",
      class: "torchloupe-section",
      "aria-level": 2,
      "aria-selected": isCurrent,
      "aria-label": spoken.filter(Boolean).join(", "),
      "data-key": `${chapter.id}/${section.cells.en}`,
      "data-chapter": chapter.id,
      "data-section": index,
      tabindex: -1,
    },
    row,
  );
}

function drawBullet(isExercise: boolean, done: boolean): HTMLElement {
  const kind = isExercise ? "torchloupe-box" : "torchloupe-dot";
  const bullet = element("span", { class: kind, "data-done": done, "aria-hidden": true });
  if (isExercise && done) {
    checkIcon.element({ container: bullet });
  }
  return bullet;
}
