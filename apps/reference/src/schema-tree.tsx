/** The fields of a body as a tree. A part is rendered when it is opened, so a schema may contain itself. */
import { Code, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@reelay/web/ui/icons/index.ts';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Description } from './description.tsx';
import { isRecursive, type Limit, type SchemaRow } from './schema.ts';
import classes from './schema-tree.module.css';

/** Longer lists of values are closed at first. */
const MAX_VALUES = 14;

/** @param props.depth of the rows; only those of depth 0 are open at first */
export function SchemaTree({ rows, depth = 0 }: { rows: readonly SchemaRow[]; depth?: number }) {
  return (
    <ul className={classes.tree} data-depth={depth} lang="en">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no name, and rows never move
        <Row key={`${index}-${row.name}`} row={row} depth={depth} />
      ))}
    </ul>
  );
}

function Row({ row, depth }: { row: SchemaRow; depth: number }) {
  const t = useTranslations('reference');
  const { name, type, isRequired, description, hasChildren } = row;
  const [isOpen, setIsOpen] = useState(depth === 0 && !isRecursive(row.trail));
  const label = name === '*' ? t('anyName') : name;
  const head = (
    <>
      {label !== null && <span className={classes.name}>{label}</span>}
      <span className={classes.type}>{type}</span>
      {isRequired && name !== null && <span className={classes.required}>{t('required')}</span>}
    </>
  );
  return (
    <li className={classes.row}>
      {hasChildren ? (
        <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <IconChevronRight size={16} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
          {head}
        </UnstyledButton>
      ) : (
        <div className={classes.head}>{head}</div>
      )}
      <div className={classes.text}>
        <Description size="sm" text={description} />
        <Facts row={row} />
      </div>
      {hasChildren && isOpen && <SchemaTree rows={row.children()} depth={depth + 1} />}
    </li>
  );
}

/** Limits, allowed values, default and example of a field. */
function Facts({ row: { limits, values, fallback, example } }: { row: SchemaRow }) {
  const t = useTranslations('reference');
  const limitText = ({ kind, value }: Limit) => (
    <span key={kind} lang={undefined}>
      {t(`limits.${kind}`, { value })}
    </span>
  );
  const notes = [
    ...limits.map(limitText),
    ...(fallback === null ? [] : [<span key="fallback">{t('fallback', { value: fallback })}</span>]),
    ...(example === null || values.length > 0 ? [] : [<span key="example">{t('exampleOf', { value: example })}</span>]),
  ];
  return (
    <>
      {notes.length > 0 && (
        <Text component="div" size="xs" c="dimmed" className={classes.facts}>
          {notes}
        </Text>
      )}
      {values.length > 0 && <Values values={values} />}
    </>
  );
}

function Values({ values }: { values: readonly string[] }) {
  const t = useTranslations('reference');
  const [isWhole, setIsWhole] = useState(values.length <= MAX_VALUES);
  const shown = isWhole ? values : values.slice(0, MAX_VALUES);
  return (
    <Text component="div" size="xs" c="dimmed" className={classes.values}>
      <span>{t('allowed')}</span>
      {shown.map((value) => (
        <Code key={value} fz="xs">
          {value}
        </Code>
      ))}
      {!isWhole && (
        <UnstyledButton fz="xs" className={classes.more} onClick={() => setIsWhole(true)}>
          {t('more', { count: values.length - shown.length })}
        </UnstyledButton>
      )}
    </Text>
  );
}
