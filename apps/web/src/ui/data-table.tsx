/** A table that becomes a list of cards on narrow screens. */
import { Paper, Stack, Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

/** The first column is the heading of the card. */
export interface Column<Row> {
  key: string;
  label: string;
  cell(row: Row): ReactNode;
  isNumber?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  return isWide ? <Wide {...props} /> : <Cards {...props} />;
}

function Wide<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <Paper withBorder className={classes.frame}>
      <Table aria-label={label} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, label, isNumber }) => (
              <Table.Th key={key} ta={isNumber ? 'right' : 'left'}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ key, cell, isNumber }) => (
                <Table.Td key={key} ta={isNumber ? 'right' : 'left'} className={isNumber ? classes.number : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Cards<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  const [head, ...rest] = columns;
  return (
    <Stack component="ul" gap="sm" p={0} m={0} aria-label={label} className={classes.cards}>
      {rows.map((row) => (
        <Paper key={rowKey(row)} component="li" withBorder p="md">
          {head?.cell(row)}
          <dl className={classes.fields}>
            {rest.map(({ key, label, cell }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Paper>
      ))}
    </Stack>
  );
}
