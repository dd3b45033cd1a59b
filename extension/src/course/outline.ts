/** The sections of an open notebook; `course/progress.py` reads the same from a saved one. */
import type { ICellModel, ICodeCellModel } from "@jupyterlab/cells";
import type { INotebookModel } from "@jupyterlab/notebook";
import type { Language } from "../words";
import type { Exercise, Section } from "./chapter";

const CHECK_MIME = "application/vnd.torchloupe.check+json";
const EMPHASIS = /[`*]/g;

interface Ours {
  lang?: unknown;
  id?: unknown;
  exercise?: unknown;
}

/** Read sections, what has run and which exercises are passed from the live cells. */
export function outline(notebook: INotebookModel): Section[] {
  const sections: Section[] = [];
  const pairs = new Map<unknown, Section>();
  for (const cell of notebook.cells) {
    const ours = metadata(cell);
    if (cell.type === "markdown") {
      readHeading(cell, ours, sections, pairs);
    } else if (isCode(cell)) {
      readCode(cell, ours, sections.at(-1));
    }
  }
  return sections;
}

function readHeading(cell: ICellModel, { lang, id }: Ours, sections: Section[], pairs: Map<unknown, Section>): void {
  const source = cell.sharedModel.getSource().trimStart();
  if (!source.startsWith("## ")) {
    return;
  }
  const title = (source.split("\n", 1)[0] ?? "").slice(3).replace(EMPHASIS, "").trim();
  const first = typeof id === "string" ? pairs.get(id) : undefined;
  if (first) {
    const language: Language = lang === "zh" || lang === "zh-CN" ? "zh-CN" : "en";
    first.title[language] = title;
    first.cells[language] = cell.id;
    return;
  }
  const section: Section = {
    title: { en: title, "zh-CN": title },
    cells: { en: cell.id, "zh-CN": cell.id },
    code: 0,
    run: 0,
    exercises: [],
  };
  sections.push(section);
  pairs.set(id, section);
}

function readCode(cell: ICodeCellModel, { exercise }: Ours, section: Section | undefined): void {
  if (section) {
    section.code += 1;
    section.run += cell.executionCount === null ? 0 : 1;
    if (typeof exercise === "string") {
      section.exercises.push(readExercise(cell, exercise));
    }
  }
}

function readExercise({ outputs }: ICodeCellModel, id: string): Exercise {
  for (let index = 0; index < outputs.length; index++) {
    const verdict = outputs.get(index).data[CHECK_MIME];
    const passed = typeof verdict === "object" && verdict !== null && "passed" in verdict && verdict.passed === true;
    if (passed && "exercise" in verdict && verdict.exercise === id) {
      return { id, passed };
    }
  }
  return { id, passed: false };
}

function isCode(cell: ICellModel): cell is ICodeCellModel {
  return cell.type === "code";
}

function metadata(cell: ICellModel): Ours {
  const ours: unknown = cell.getMetadata("torchloupe");
  return typeof ours === "object" && ours !== null ? ours : {};
}
