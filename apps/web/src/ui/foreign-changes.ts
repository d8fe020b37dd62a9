/**
 * Keeps React working if translation or extensions change the page. They replace text nodes by elements, and React
 * then fails to remove its nodes or to insert before them (https://github.com/facebook/react/issues/11538).
 */

/** Call it once, before the first render. */
export function tolerateForeignChanges(): void {
  /** The element that replaced a text node. */
  const standIns = new WeakMap<Node, ChildNode>();
  new MutationObserver((records) => {
    for (const [index, { removedNodes, target }] of records.entries()) {
      const [text] = removedNodes;
      if (!(text instanceof Text)) continue;
      // The replacement takes one step, or two.
      const nearby = [records[index], records[index + 1], records[index - 1]];
      const added = nearby.flatMap((record) => (record?.target === target ? [...record.addedNodes] : []));
      const shown = added.find((node) => node instanceof HTMLElement && node.tagName === 'FONT');
      if (shown) standIns.set(text, shown as HTMLElement);
    }
  }).observe(document, { childList: true, subtree: true });

  /** The child of `parent` that represents `node`: the node itself, its wrapper, or its replacement. */
  const shownIn = (parent: Node, node: Node): Node | null => {
    let at: Node | null = node;
    if (at.parentNode === null) at = standIns.get(node) ?? null;
    while (at && at.parentNode !== parent) at = at.parentNode;
    return at;
  };

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const shown = shownIn(this, child);
    if (shown) removeChild.call(this, shown);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    insertBefore.call(this, node, before && shownIn(this, before));
    return node;
  };

  let owner: object | null = Text.prototype;
  while (owner && !Object.hasOwn(owner, 'nodeValue')) owner = Object.getPrototypeOf(owner);
  const nodeValue = owner && Object.getOwnPropertyDescriptor(owner, 'nodeValue');
  if (!nodeValue?.set) return;
  const { set } = nodeValue;
  Object.defineProperty(owner, 'nodeValue', {
    ...nodeValue,
    set(this: Text, text: string | null) {
      // Text written to a replaced node would be invisible.
      if (this.parentNode === null) standIns.get(this)?.replaceWith(this);
      set.call(this, text);
    },
  });
}
