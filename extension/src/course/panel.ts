import type { Message } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
import { loupeIcon } from "../icon";
import type { ILanguage } from "../language/token";
import { type Language, word } from "../words";
import { type Chapter, exercisesOf, isChapterDone, progressOf, type Section } from "./chapter";
import type { Course } from "./course";
import { button, element } from "./element";
import { focusRow, placeTabStop, pressKey } from "./keys";
import { drawTree } from "./tree";

/** What the panel asks for. */
export interface PanelActions {
  open(chapter: Chapter): void;
  visit(chapter: Chapter, section: Section): void;
  /** Open the menu of a chapter; with the keyboard its first entry is chosen. */
  menu(chapter: Chapter, x: number, y: number, byKey: boolean): void;
  /** Index of the section the active cell stands in, or -1. */
  activeSection(chapter: Chapter): number;
}

/** The left panel: how far the person is, the chapters, and the sections of the one they are in. */
export class CoursePanel extends Widget {
  private readonly header = element("header", { class: "torchloupe-header" });
  private readonly body = element("div", { class: "torchloupe-body" });
  private readonly folded = new Map<string, boolean>();
  private chapters: Chapter[] = [];

  /** @param choosable whether the panel may offer the choice of a language. */
  constructor(
    private readonly course: Course,
    private readonly language: ILanguage,
    private readonly choosable: boolean,
    private readonly actions: PanelActions,
  ) {
    super({ node: element("section") });
    this.id = "torchloupe-course";
    this.addClass("torchloupe-course");
    this.title.icon = loupeIcon;
    this.node.append(this.header, this.body);
    this.body.addEventListener("click", (event) => this.onClick(event));
    this.body.addEventListener("contextmenu", (event) => this.onContextMenu(event));
    this.body.addEventListener("keydown", (event) => this.onKey(event));
    course.changed.connect(() => this.update());
    language.changed.connect(() => this.update());
    this.update();
  }

  protected override onActivateRequest(_: Message): void {
    this.focusBody();
  }

  /** Put the focus where the keyboard goes on: the tree's tab stop, or the message's button. */
  focusBody(): void {
    this.node.querySelector<HTMLElement>(".torchloupe-body [tabindex='0'], .torchloupe-body button")?.focus();
  }

  protected override onAfterShow(_: Message): void {
    void this.course.refresh();
  }

  protected override onUpdateRequest(_: Message): void {
    const { current } = this.language;
    this.chapters = this.course.chapters;
    this.title.caption = word(current, "course.title");
    this.node.lang = current;
    this.node.setAttribute("aria-label", word(current, "course.title"));
    const focused = this.focusedKey;
    this.drawHeader(current);
    this.body.replaceChildren(this.drawBody(current));
    this.body.setAttribute("aria-busy", String(["loading", "laying-out"].includes(this.course.status)));
    this.restoreFocus(focused);
  }

  private drawHeader(language: Language): void {
    const heading = element("h2", {}, word(language, "course.title"));
    const top = element("div", { class: "torchloupe-top" }, heading);
    if (this.choosable) {
      top.append(this.drawLanguages(language));
    }
    this.header.replaceChildren(top);
    if (this.course.status === "ready" && this.course.laidOut) {
      this.header.append(...this.drawProgress(language));
    }
  }

  private drawLanguages(language: Language): HTMLElement {
    const names: Record<Language, string> = { en: "EN", "zh-CN": "中文" };
    const choose = (choice: Language) =>
      button(
        names[choice],
        { "aria-pressed": choice === language, lang: choice, "data-key": `language-${choice}` },
        () => void this.language.set(choice),
      );
    return element(
      "div",
      { class: "torchloupe-languages", role: "group", "aria-label": word(language, "course.language") },
      choose("en"),
      choose("zh-CN"),
    );
  }

  private drawProgress(language: Language): HTMLElement[] {
    const steps = this.chapters.map(progressOf);
    const count = steps.reduce((sum, step) => sum + step.count, 0);
    const done = steps.reduce((sum, step) => sum + step.done, 0);
    const exercises = exercisesOf(this.chapters);
    const share = count === 0 ? 0 : Math.round((100 * done) / count);
    const finished = this.chapters.filter(isChapterDone).length;
    const bar = element("div", {
      class: "torchloupe-bar",
      role: "progressbar",
      "aria-label": word(language, "course.progress"),
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": share,
    });
    bar.style.setProperty("--torchloupe-share", `${share}%`);
    return [
      element(
        "p",
        { class: "torchloupe-progress" },
        element("span", {}, word(language, "course.chapters-done", { done: finished, count: this.chapters.length })),
        element(
          "span",
          {},
          word(language, "course.exercises-passed", { passed: exercises.done, count: exercises.count }),
        ),
      ),
      bar,
    ];
  }

  private drawBody(language: Language): HTMLElement {
    switch (this.course.status) {
      case "loading":
        return message("status", word(language, "course.loading"));
      case "laying-out":
        return message("status", word(language, "course.updating"));
      case "failed":
      case "failed-layout":
        return message(
          "alert",
          word(language, this.course.status === "failed" ? "course.failed" : "course.failed-layout"),
          element("code", {}, this.course.fault),
          button(word(language, "course.retry"), { class: "torchloupe-button" }, () => void this.course.refresh()),
        );
      case "ready":
        return this.drawChapters(language);
    }
  }

  private drawChapters(language: Language): HTMLElement {
    if (this.chapters.length === 0) {
      return message("status", word(language, "course.none"));
    }
    if (!this.course.laidOut) {
      return message(
        "status",
        word(language, "course.empty"),
        button(word(language, "course.lay-out"), { class: "torchloupe-button" }, () => void this.course.layOut()),
      );
    }
    const { current } = this.course;
    const here = this.chapters.find(({ id }) => id === current);
    return drawTree(this.chapters, {
      language,
      current,
      section: here ? this.actions.activeSection(here) : -1,
      expanded: ({ id, state }) => state !== "missing" && (this.folded.get(id) ?? id === current),
    });
  }

  private get focusedKey(): string | undefined {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && this.node.contains(focused) ? (focused.dataset.key ?? "") : undefined;
  }

  private restoreFocus(key: string | undefined): void {
    const rows = [...this.body.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const stop = rows.find(({ dataset }) => dataset.key === key) ?? rows.find((row) => row.ariaSelected === "true");
    const [first] = rows;
    if (stop ?? first) {
      placeTabStop(this.body, (stop ?? first) as HTMLElement);
    }
    if (key !== undefined) {
      this.node.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"], .torchloupe-body [tabindex='0']`)?.focus();
    }
  }

  private onClick(event: MouseEvent): void {
    const target = event.target as Element;
    const more = target.closest(".torchloupe-more");
    const row = target.closest<HTMLElement>("[role=treeitem]");
    if (row && more) {
      const { left, bottom } = more.getBoundingClientRect();
      this.onMenu(row, left, bottom, false);
    } else if (row) {
      placeTabStop(this.body, row);
      this.onOpen(row);
    }
  }

  private onContextMenu(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (row && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      this.onMenu(row, event.clientX, event.clientY, false);
    }
  }

  private onKey(event: KeyboardEvent): void {
    const actions = {
      open: (row: HTMLElement) => this.onOpen(row),
      fold: (row: HTMLElement, expand: boolean) => this.fold(row, expand),
      menu: (row: HTMLElement) => {
        const { left, top } = row.getBoundingClientRect();
        this.onMenu(row, left + 24, top + 24, true);
      },
    };
    if (pressKey(this.body, event, actions)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  private onOpen(row: HTMLElement): void {
    const chapter = this.chapterOf(row);
    const section = chapter?.sections[Number(row.dataset.section ?? -1)];
    if (chapter && section) {
      this.actions.visit(chapter, section);
    } else if (chapter && chapter.id === this.course.current) {
      this.fold(row, row.getAttribute("aria-expanded") !== "true");
    } else if (chapter) {
      this.folded.delete(chapter.id);
      this.actions.open(chapter);
    }
  }

  private onMenu(row: HTMLElement, x: number, y: number, byKey: boolean): void {
    const chapter = this.chapterOf(row);
    if (chapter) {
      focusRow(this.body, row);
      this.actions.menu(chapter, x, y, byKey);
    }
  }

  private fold(row: HTMLElement, expand: boolean): void {
    this.folded.set(row.dataset.chapter ?? "", expand);
    this.update();
  }

  private chapterOf(row: HTMLElement): Chapter | undefined {
    return this.chapters.find(({ id }) => id === row.dataset.chapter);
  }
}

function message(role: "status" | "alert", text: string, ...more: HTMLElement[]): HTMLElement {
  return element("div", { class: "torchloupe-message", role }, element("p", {}, text), ...more);
}
