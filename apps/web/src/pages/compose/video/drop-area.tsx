/** An area on which files are dropped, and which opens a file dialog. Its content is its name for screen readers. */
import { type StyleProp, UnstyledButton } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import classes from './drop-area.module.css';

interface DropAreaProps {
  /** As in the attribute of a file input. */
  accept: string;
  height: StyleProp<number>;
  /** Opens the dialog from elsewhere. */
  input: RefObject<HTMLInputElement | null>;
  onFiles(files: File[]): void;
  /** @param isOver whether files are dragged over the area */
  children(isOver: boolean): ReactNode;
}

const hasFiles = (event: { dataTransfer: DataTransfer | null }) => event.dataTransfer?.types.includes('Files') ?? false;

/** A file that is dropped beside the area would replace the page. */
const ignoreFiles = (event: globalThis.DragEvent) => {
  if (hasFiles(event)) event.preventDefault();
};

export function DropArea({ accept, height, input, onFiles, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false);
  // The pointer enters a child before it leaves the area.
  const depth = useRef(0);
  useWindowEvent('dragover', ignoreFiles);
  useWindowEvent('drop', ignoreFiles);
  const move = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setIsOver(depth.current > 0);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // So that the same file can be chosen again.
          currentTarget.value = '';
          onFiles(files);
        }}
      />
      <UnstyledButton
        className={classes.area}
        h={height}
        data-over={isOver || undefined}
        onClick={() => input.current?.click()}
        onDragEnter={move(1)}
        onDragLeave={move(-1)}
        onDrop={(event) => {
          if (!hasFiles(event)) return;
          depth.current = 0;
          setIsOver(false);
          onFiles([...event.dataTransfer.files]);
        }}
      >
        {children(isOver)}
      </UnstyledButton>
    </>
  );
}
