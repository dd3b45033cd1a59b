import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import { type ISignal, Signal } from "@lumino/signaling";
import type { Chapter } from "./chapter";
import { outline } from "./outline";
import { type CourseAnswer, layOutCourse, readCourse } from "./server";

/** The folder the course is looked for in, from the server's root. */
export const COURSE_FOLDER = "";

type Status = "loading" | "laying-out" | "ready" | "failed" | "failed-layout";

/** The course as it stands: what the server read from the files, and for open chapters what is on the screen. */
export class Course {
  status: Status = "loading";
  /** The server's own words when it refused. */
  fault = "";
  laidOut = false;
  private saved: Chapter[] = [];
  readonly #changed = new Signal<this, void>(this);

  constructor(
    private readonly notebooks: INotebookTracker,
    private readonly localPath: (path: string) => string,
  ) {}

  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get chapters(): Chapter[] {
    return this.saved.map((chapter) => {
      const model = this.opened(chapter)?.content.model;
      return model && model.cells.length > 0 ? { ...chapter, sections: outline(model) } : chapter;
    });
  }

  /** The notebook a chapter is open in. */
  opened(chapter: Chapter): NotebookPanel | undefined {
    return this.notebooks.find((panel) => this.localPath(panel.context.path) === chapter.path);
  }

  /** The id of the chapter whose notebook the person is in. */
  get current(): string | undefined {
    const panel = this.notebooks.currentWidget;
    return panel ? this.saved.find(({ path }) => path === this.localPath(panel.context.path))?.id : undefined;
  }

  refresh(): Promise<void> {
    return this.take(readCourse(COURSE_FOLDER), "failed");
  }

  layOut(): Promise<void> {
    this.status = "laying-out";
    this.#changed.emit();
    return this.take(layOutCourse(COURSE_FOLDER), "failed-layout");
  }

  private async take(answer: Promise<CourseAnswer>, otherwise: Status): Promise<void> {
    try {
      const { laid_out, chapters } = await answer;
      this.saved = chapters;
      this.laidOut = laid_out;
      this.status = "ready";
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
      this.status = otherwise;
    }
    this.#changed.emit();
  }
}
