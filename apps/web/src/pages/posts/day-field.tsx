import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { isWholeDay } from '../../queries/post-search.ts';

interface DayFieldProps {
  label: string;
  /** "": none. */
  day: string;
  onChange(day: string): void;
}

/**
 * A day of the filter. The URL changes later than the field, so the field keeps the typed text until it loses the
 * focus: a browser discards a half-typed date when the field gets its old value again.
 */
export function DayField({ label, day, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      type="date"
      label={label}
      value={typed ?? day}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        if (value === '' || isWholeDay(value)) onChange(value);
      }}
      onBlur={() => {
        if (typed !== null && typed !== day) onChange(typed);
        setTyped(null);
      }}
      flex="1 1 150px"
      miw={0}
    />
  );
}
