import { Select } from '@mantine/core';
import { useMemo } from 'react';

interface ZoneFieldProps {
  label: string;
  value: string;
  error: string | null;
  onChange(zone: string): void;
}

const MAX_SHOWN = 60;

/** An IANA time zone. */
export function ZoneField({ label, value, error, onChange }: ZoneFieldProps) {
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), value])], [value]);
  return (
    <Select
      label={label}
      data={zones}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      error={error}
      limit={MAX_SHOWN}
      searchable
      allowDeselect={false}
      maw={320}
    />
  );
}
