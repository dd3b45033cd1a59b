/** Where the arrow keys lead: along edges, and to neighbours in the same layer. */

import { ROOT } from "./keys";
import type { Item, Plot } from "./plot";
import type { Rect, Scene } from "./scene";
import type { Session } from "./session";
import type { Speech } from "./speech";
import type { Key } from "./tree";

export type Direction = "up" | "down" | "left" | "right";

/** Where a key leads, and what is said of the edge that led there. */
export interface Step {
  readonly key: Key;
  readonly by: string | undefined;
}

export class Walk {
  constructor(
    private readonly session: Session,
    private readonly scene: Scene,
    private readonly speech: Speech,
  ) {}

  from(key: Key, direction: Direction): Step | undefined {
    const here = this.scene.find(key);
    if (here === undefined) return undefined;
    if (direction === "left" || direction === "right") return this.#beside(key, direction === "right");
    const down = direction === "down";
    if (down && here.item.inner !== undefined) return this.#into(here.item.inner);
    const to = this.session.tree.neighbours(key)[down ? "down" : "up"];
    const middle = centre(here.rect);
    const found = to
      .map((each) => ({ key: each, rect: this.scene.find(each)?.rect }))
      .filter((each): each is { key: Key; rect: Rect } => each.rect !== undefined)
      .sort((a, b) => Math.abs(centre(a.rect) - middle) - Math.abs(centre(b.rect) - middle))[0];
    if (found === undefined) return undefined;
    return { key: found.key, by: down ? this.#edge(key, found.key) : undefined };
  }

  #into({ items }: Plot): Step | undefined {
    const first = items[0];
    return first && { key: first.box.key, by: undefined };
  }

  #beside(key: Key, right: boolean): Step | undefined {
    const parent = this.session.tree.parentOf(key) ?? ROOT;
    const items = this.scene.plotOf(parent)?.items ?? [];
    const own = items.find((item) => item.box.key === key);
    if (own === undefined) return undefined;
    const level = (item: Item): boolean => item.y < own.y + own.h && own.y < item.y + item.h;
    const beyond = items.filter((item) => level(item) && (right ? item.x > own.x : item.x < own.x));
    const next = beyond.sort((a, b) => Math.abs(a.x - own.x) - Math.abs(b.x - own.x))[0];
    return next && { key: next.box.key, by: undefined };
  }

  #edge(from: Key, to: Key): string {
    const { tree } = this.session;
    const parent = tree.parentOf(from);
    const level = parent === undefined || parent !== tree.parentOf(to) ? undefined : tree.level(parent);
    const strand = level?.strands.find(
      ({ source, target }) => level.boxes[source]?.key === from && level.boxes[target]?.key === to,
    );
    return this.speech.edge(to, strand === undefined ? this.session.arrival(to) : this.session.flow(strand));
  }
}

function centre({ x, w }: Rect): number {
  return x + w / 2;
}
