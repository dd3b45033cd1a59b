/** The keyboard of a tree, as the ARIA practices describe it: one tab stop, arrows, Home, End, Enter. */

/** What a key asks of the row it was pressed on, beyond moving the focus. */
export interface RowActions {
  open(row: HTMLElement): void;
  fold(row: HTMLElement, expand: boolean): void;
  menu(row: HTMLElement): void;
}

/** Answer a keydown in `tree`; true when the key was one of the tree's. */
export function pressKey(tree: HTMLElement, event: KeyboardEvent, actions: RowActions): boolean {
  const rows = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const row = rows.find((candidate) => candidate === event.target);
  if (!row || event.ctrlKey || event.altKey || event.metaKey) {
    return false;
  }
  const at = rows.indexOf(row);
  const acts: Record<string, () => void> = {
    ArrowDown: () => focusRow(tree, rows[at + 1]),
    ArrowUp: () => focusRow(tree, rows[at - 1]),
    Home: () => focusRow(tree, rows[0]),
    End: () => focusRow(tree, rows.at(-1)),
    ArrowRight: () => goIn(tree, row, rows[at + 1], actions),
    ArrowLeft: () => goOut(tree, row, actions),
    Enter: () => actions.open(row),
    " ": () => actions.open(row),
    ContextMenu: () => actions.menu(row),
  };
  const act = event.key === "F10" && event.shiftKey ? () => actions.menu(row) : acts[event.key];
  act?.();
  return act !== undefined;
}

/** Give the tree's one tab stop to `row`, and the focus with it. */
export function focusRow(tree: HTMLElement, row: HTMLElement | undefined): void {
  if (row) {
    placeTabStop(tree, row);
    row.focus();
  }
}

/** Give the tree's one tab stop to `row`. */
export function placeTabStop(tree: HTMLElement, row: HTMLElement): void {
  for (const other of tree.querySelectorAll<HTMLElement>("[tabindex='0']")) {
    other.tabIndex = -1;
  }
  row.tabIndex = 0;
}

function goIn(tree: HTMLElement, row: HTMLElement, next: HTMLElement | undefined, actions: RowActions): void {
  if (row.getAttribute("aria-expanded") === "false") {
    actions.fold(row, true);
  } else if (next && row.contains(next)) {
    focusRow(tree, next);
  }
}

function goOut(tree: HTMLElement, row: HTMLElement, actions: RowActions): void {
  if (row.getAttribute("aria-expanded") === "true") {
    actions.fold(row, false);
  } else {
    focusRow(tree, row.parentElement?.closest<HTMLElement>("[role=treeitem]") ?? undefined);
  }
}
