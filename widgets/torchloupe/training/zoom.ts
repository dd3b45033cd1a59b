/** The window of steps in view: it follows the latest step until a person hides it. */

const LEAST = 4;

/** Which steps are seen. Steps are real numbers here: a window may begin between two of them. */
export class Zoom {
  #left = 0;
  #right = 1;
  #end = 1;
  #latest = -1;
  #seen = -1;
  #following = true;

  get left(): number {
    return this.#left;
  }

  get right(): number {
    return this.#following ? this.#end : this.#right;
  }

  get following(): boolean {
    return this.#following;
  }

  /** How many steps came since the window left the latest one. */
  get missed(): number {
    return this.#following ? 0 : this.#latest - this.#seen;
  }

  /** Whether the whole run is in view. */
  get whole(): boolean {
    return this.#following && this.#left === 0;
  }

  /** The latest step, and the right end of an axis that shows it. */
  grow(latest: number, end: number): void {
    this.#latest = latest;
    this.#end = end;
    if (this.#following && this.#left > end - LEAST) this.#left = 0;
  }

  /** Shows the steps from `left` to `right`. */
  show(left: number, right: number): void {
    const least = Math.min(LEAST, this.#end);
    const middle = (left + right) / 2;
    const half = Math.max(right - left, least) / 2;
    const from = Math.max(Math.min(middle - half, this.#end - least), 0);
    this.#left = from;
    this.#right = Math.min(Math.max(middle + half, from + least), this.#end);
    this.#settle();
  }

  /** Changes the width of the window by a factor; `step` stays where it is. */
  by(factor: number, step: number): void {
    const { left, right } = this;
    this.show(step - (step - left) * factor, step + (right - step) * factor);
  }

  /** Moves the window by so many steps, not beyond its ends. */
  pan(steps: number): void {
    const { left, right } = this;
    const by = Math.min(Math.max(steps, -left), this.#end - right);
    this.show(left + by, right + by);
  }

  /** Brings a step into view without changing the width of the window. */
  reach(step: number): void {
    const { left, right } = this;
    if (step < left) this.pan(step - left);
    else if (step > right) this.pan(step - right);
  }

  /** Follows the latest step, or stays. */
  follow(on: boolean): void {
    if (on === this.#following) return;
    if (on) {
      const wide = this.#right - this.#left;
      this.#left = this.#left <= 0 ? 0 : Math.max(this.#end - wide, 0);
    } else {
      this.#right = this.#end;
      this.#seen = this.#latest;
    }
    this.#following = on;
  }

  reset(): void {
    this.#left = 0;
    this.#following = true;
  }

  #settle(): void {
    const shows = this.#right >= this.#latest;
    if (this.#following && !shows) this.#seen = this.#latest;
    this.#following = shows;
  }
}
