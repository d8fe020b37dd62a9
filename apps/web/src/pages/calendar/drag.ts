/** The data of a dragged entry. The library's own drag loses the wall time in the hours of a clock change. */
import type { DragEvent } from 'react';

const TYPE = 'application/x-reelay-post';

/** The drag image is below the pointer, so that it does not hide the slot under the pointer. */
export function startDrag(event: DragEvent<HTMLElement>, id: string): void {
  event.dataTransfer.setData(TYPE, id);
  event.dataTransfer.effectAllowed = 'copyMove';
  event.dataTransfer.setDragImage(event.currentTarget, 12, 2);
}

/** The id of the dragged post; "" for other dropped data. */
export function droppedId(transfer: DataTransfer): string {
  return transfer.getData(TYPE);
}
