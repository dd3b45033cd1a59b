import { Signal } from "@lumino/signaling";
import type { Language } from "../words";
import type { ILanguage, LanguageSetting } from "./token";

/** The language setting, resolved against JupyterLab's locale. */
export class LanguageChoice implements ILanguage {
  readonly changed: Signal<ILanguage, Language> = new Signal<ILanguage, Language>(this);
  #setting: LanguageSetting = "auto";

  /**
   * @param locale JupyterLab's own language, as `zh_CN` or `en`.
   * @param remember stores the choice; without it the choice lasts as long as the page.
   */
  constructor(
    private readonly locale: string,
    private readonly remember?: (choice: LanguageSetting) => Promise<void>,
  ) {}

  get setting(): LanguageSetting {
    return this.#setting;
  }

  get current(): Language {
    if (this.#setting !== "auto") {
      return this.#setting;
    }
    return this.locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  }

  async set(choice: LanguageSetting): Promise<void> {
    this.adopt(choice);
    await this.remember?.(choice);
  }

  /** Take a choice that is stored already. */
  adopt(choice: LanguageSetting): void {
    const before = this.current;
    this.#setting = choice;
    if (this.current !== before) {
      this.changed.emit(this.current);
    }
  }
}
