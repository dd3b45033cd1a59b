import { URLExt } from "@jupyterlab/coreutils";
import { ServerConnection } from "@jupyterlab/services";
import type { Chapter } from "./chapter";

/** What the server knows of the course in one folder. */
export interface CourseAnswer {
  laid_out: boolean;
  chapters: Chapter[];
}

/** Ask for the course in `folder`, a path from the server's root. */
export function readCourse(folder: string): Promise<CourseAnswer> {
  return ask<CourseAnswer>(`course?${new URLSearchParams({ path: folder })}`);
}

/** Lay the course out in `folder`; files that are there already stay as they are. */
export function layOutCourse(folder: string): Promise<CourseAnswer> {
  return ask<CourseAnswer>("course/layout", { path: folder });
}

/** Put the shipped chapter back and learn the name the person's copy is kept under. */
export function resetChapter(folder: string, chapter: string): Promise<{ aside: string | null }> {
  return ask<{ aside: string | null }>("course/reset", { path: folder, chapter });
}

async function ask<T>(path: string, body?: Record<string, string>): Promise<T> {
  const settings = ServerConnection.makeSettings();
  const url = URLExt.join(settings.baseUrl, "torchloupe/") + path;
  const init = body ? { method: "POST", body: JSON.stringify(body) } : { method: "GET" };
  const response = await ServerConnection.makeRequest(url, init, settings);
  if (!response.ok) {
    throw await ServerConnection.ResponseError.create(response);
  }
  return (await response.json()) as T;
}
