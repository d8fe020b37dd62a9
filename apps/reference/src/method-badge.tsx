import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  GET: 'blue',
  HEAD: 'gray',
  OPTIONS: 'gray',
  POST: 'green',
  PUT: 'yellow',
  PATCH: 'orange',
  DELETE: 'red',
};

/** The method of an operation. Its color repeats what its text says. */
export function MethodBadge({ method, size = 'sm' }: { method: string; size?: 'xs' | 'sm' | 'lg' }) {
  return (
    <Badge size={size} radius="sm" variant="light" color={COLORS[method] ?? 'gray'} ff="monospace" px={4} miw="3.9rem">
      {method}
    </Badge>
  );
}
