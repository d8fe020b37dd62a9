/** What a dragged entry carries. The library's own drag loses the wall time in the hours of a clock change. */
import type { DragEvent } from 'react';

const TYPE = 'application/x-reelay-post';

/** The picture hangs below the pointer, so that the slot below the pointer is the one that is meant. */
export function startDrag(event: DragEvent<HTMLElement>, id: string): void {
  event.dataTransfer.setData(TYPE, id);
  event.dataTransfer.effectAllowed = 'copyMove';
  event.dataTransfer.setDragImage(event.currentTarget, 12, 2);
}

/** The id of the dragged post; "" if something else was dropped. */
export function droppedId(transfer: DataTransfer): string {
  return transfer.getData(TYPE);
}
