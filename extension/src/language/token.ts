import { Token } from "@lumino/coreutils";
import type { ISignal } from "@lumino/signaling";
import type { Language } from "../words";

/** `auto` follows JupyterLab's own language. */
export type LanguageSetting = "auto" | Language;

/** The one language of prose, lenses and panels. */
export interface ILanguage {
  /** The language in force. */
  readonly current: Language;
  /** What the person chose. */
  readonly setting: LanguageSetting;
  /** Emitted with the new language after it changed. */
  readonly changed: ISignal<ILanguage, Language>;
  /** Choose a language and remember it. */
  set(choice: LanguageSetting): Promise<void>;
}

export const ILanguage = new Token<ILanguage>(
  "torchloupe:ILanguage",
  "The language Torchloupe's chapters, lenses and panels are shown in.",
);
