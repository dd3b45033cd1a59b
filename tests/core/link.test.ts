import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { AnyModel } from "@anywidget/types";
import { Link, type Numbered, type Reply, type Traits } from "../../widgets/torchloupe/core/link";

type Listener = (...args: never[]) => void;

/** A widget's model as the front end gives it to a view, with a kernel that is heard when the test says so. */
class FakeModel {
  readonly sent: Reply[] = [];
  readonly listeners: [string, Listener][] = [];
  frame: Numbered = { number: 0, words: {} };

  get(name: string): unknown {
    return name === "frame" ? this.frame : "en";
  }
  send(message: Reply): void {
    this.sent.push(message);
  }
  on(event: string, listener: Listener): void {
    this.listeners.push([event, listener]);
  }
  off(event: string, listener: Listener): void {
    const at = this.listeners.findIndex(([name, each]) => name === event && each === listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }
  fire(event: string, ...args: unknown[]): void {
    for (const [name, listener] of [...this.listeners]) if (name === event) listener(...(args as never[]));
  }
}

/** Says hello to `model` under a mocked clock; `act` moves the clock and the kernel. */
function greeted(model: FakeModel, act: (gone: AbortController) => void): number {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const gone = new AbortController();
    const link = new Link<object>(model as unknown as AnyModel<Traits<object>>);
    link.hello("zh-CN", gone.signal);
    act(gone);
    mock.timers.tick(60_000);
    for (const message of model.sent) assert.deepEqual(message, { type: "hello", language: "zh-CN" });
    return model.sent.length;
  } finally {
    mock.timers.reset();
  }
}

test("hello is said again after 300 ms, then ever later, and not for ever", () => {
  const model = new FakeModel();
  const times: number[] = [];
  greeted(model, () => {
    for (let now = 0, said = 0; now <= 60_000; now += 100) {
      for (; said < model.sent.length; said++) times.push(now);
      mock.timers.tick(100);
    }
  });
  assert.deepEqual(times, [0, 300, 900, 2100, 4500, 9300, 18_900]);
});

test("a frame of the kernel ends it, the first frame of the model does not", () => {
  const model = new FakeModel();
  const said = greeted(model, () => {
    model.fire("change:frame");
    mock.timers.tick(300);
    model.frame = { number: 1, words: {} };
    model.fire("change:frame");
  });
  assert.equal(said, 2);
});

test("any reply ends it, and nothing listens any more", () => {
  const model = new FakeModel();
  assert.equal(
    greeted(model, () => model.fire("msg:custom", { type: "rows" }, [])),
    1,
  );
  assert.deepEqual(model.listeners, []);
});

test("a view that goes away says nothing more", () => {
  assert.equal(
    greeted(new FakeModel(), (gone) => gone.abort()),
    1,
  );
});

test("a second view of a lens that speaks says it once", () => {
  const model = new FakeModel();
  model.frame = { number: 7, words: {} };
  assert.equal(
    greeted(model, () => undefined),
    1,
  );
});
