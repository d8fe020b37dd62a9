/** A day of the filter: a field that opens a calendar, as the date of a scheduled post. */
import { CloseButton, Input, InputBase, Popover } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { utcOfDay } from '../../time/zone-time.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

const DayPicker = lazyPart(async () => (await import('./day-picker.tsx')).DayPicker);

const DAY_FORMAT = { dateStyle: 'medium', timeZone: 'UTC' } as const;

interface DayFieldProps {
  label: string;
  /** "": none. */
  day: string;
  onChange(day: string): void;
}

/** The calendar is loaded when it is first opened. */
export function DayField({ label, day, onChange }: DayFieldProps) {
  const t = useTranslations('posts');
  const format = useFormatter();
  const id = useId();
  const field = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const choose = (chosen: string) => {
    setIsOpen(false);
    onChange(chosen);
  };
  const clear = () => {
    choose('');
    // The button to clear disappears.
    field.current?.focus();
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" shadow="md" returnFocus>
      <Popover.Target>
        <InputBase
          component="button"
          ref={field}
          type="button"
          pointer
          label={label}
          labelProps={{ id: `${id}-label` }}
          aria-labelledby={`${id}-label ${id}-day`}
          onClick={() => setIsOpen(!isOpen)}
          rightSection={
            day && <CloseButton size="sm" iconSize={14} aria-label={t('clearDay', { field: label })} onClick={clear} />
          }
          flex="1 1 150px"
          miw={0}
        >
          <span id={`${id}-day`}>
            {day ? (
              format.dateTime(utcOfDay(day), DAY_FORMAT)
            ) : (
              <Input.Placeholder c="dimmed">{t('anyDay')}</Input.Placeholder>
            )}
          </span>
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown>
        <DayPicker day={day} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}
