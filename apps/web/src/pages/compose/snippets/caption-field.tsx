/** A field for a caption, into which snippets can be inserted. */
import { Button, Group, Input, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { GrowingTextarea } from '../../../ui/growing-textarea.tsx';
import { IconTextPlus } from '../../../ui/icons/index.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { insert, type Range } from './insert.ts';

const SnippetList = lazyPart(async () => (await import('./snippet-list.tsx')).SnippetList, { isOverlay: true });

interface CaptionFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  error?: ReactNode;
  minRows: number;
  maxRows: number;
}

export function CaptionField({ label, value, onChange, error, minRows, maxRows }: CaptionFieldProps) {
  const t = useTranslations('snippets');
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  /** Where the user left the field; null: not yet. Then a snippet goes to the end. */
  const left = useRef<Range | null>(null);
  /** Where the open list inserts; null: it is closed. */
  const [place, setPlace] = useState<Range | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  useEffect(() => {
    if (cursor === null) return;
    input.current?.focus();
    input.current?.setSelectionRange(cursor, cursor);
    setCursor(null);
  }, [cursor]);
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Input.Label htmlFor={id}>{label}</Input.Label>
        <Button
          size="compact-sm"
          h={30}
          variant="subtle"
          leftSection={<IconTextPlus size={16} aria-hidden />}
          onClick={() => {
            // The text may have been replaced since the user left the field.
            const isInside = left.current !== null && left.current.end <= value.length;
            setPlace(isInside ? left.current : { start: value.length, end: value.length });
          }}
        >
          {t('button')}
        </Button>
      </Group>
      <GrowingTextarea
        id={id}
        ref={input}
        minRows={minRows}
        maxRows={maxRows}
        dir="auto"
        translate="no"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={({ currentTarget: { selectionStart, selectionEnd } }) => {
          left.current = { start: selectionStart, end: selectionEnd };
        }}
        error={error}
      />
      {place && (
        <SnippetList
          offered={value.slice(place.start, place.end) || value}
          onClose={() => setPlace(null)}
          onInsert={(snippet) => {
            const inserted = insert(value, place, snippet);
            onChange(inserted.text);
            setCursor(inserted.cursor);
            setPlace(null);
          }}
        />
      )}
    </Stack>
  );
}
