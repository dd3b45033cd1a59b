/** Which members of open folds stand alone; the others stand in stacks between them. */

/** Members `from` to `to` of a fold, both included; a run of one member is no stack. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

export class Folds {
  readonly #alone = new Map<number, Set<number>>();

  isEmpty(fold: number): boolean {
    return (this.#alone.get(fold)?.size ?? 0) === 0;
  }

  /** Takes a member out of its stack; returns whether it was in one. */
  takeOut(fold: number, member: number): boolean {
    const alone = this.#alone.get(fold) ?? new Set();
    const had = alone.has(member);
    this.#alone.set(fold, alone.add(member));
    return !had;
  }

  putBack(fold: number, member: number): void {
    this.#alone.get(fold)?.delete(member);
  }

  clear(fold: number): void {
    this.#alone.delete(fold);
  }

  clearAll(): void {
    this.#alone.clear();
  }

  /** The runs of a fold in order. */
  runs(fold: number, members: number): readonly Run[] {
    const runs: Run[] = [];
    let from = 0;
    const until = (end: number): void => {
      if (end > from) runs.push({ from, to: end - 1 });
    };
    for (const member of [...(this.#alone.get(fold) ?? [])].sort((a, b) => a - b)) {
      until(member);
      runs.push({ from: member, to: member });
      from = member + 1;
    }
    until(members);
    return runs;
  }

  /** The run that holds a member. */
  runAt(fold: number, members: number, member: number): Run {
    let from = 0;
    let to = members - 1;
    for (const alone of this.#alone.get(fold) ?? []) {
      if (alone === member) return { from: member, to: member };
      if (alone < member) from = Math.max(from, alone + 1);
      else to = Math.min(to, alone - 1);
    }
    return { from, to };
  }
}
