/** A text that is cut off after some lines and unfolds, as apps do it. */
import { Text, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './preview.module.css';

/** @param lines null: the text is never cut off */
export function CutText({ text, lines }: { text: string; lines: number | null }) {
  const t = useTranslations('composeVideo');
  const [isExpanded, setExpanded] = useState(false);
  const [isCut, setCut] = useState(false);
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const { current } = line;
    if (current && !isExpanded && text !== '') setCut(current.scrollHeight > current.clientHeight + 1);
    if (text === '') setCut(false);
  }, [text, isExpanded]);
  if (text.trim() === '') return null;
  const isWhole = isExpanded || lines === null;
  return (
    <>
      <Text
        ref={line}
        size="sm"
        dir="auto"
        translate="no"
        lineClamp={isWhole ? undefined : lines}
        className={`${classes.text} ${isExpanded ? classes.expanded : ''}`}
        tabIndex={isExpanded ? 0 : undefined}
      >
        {text}
      </Text>
      {lines !== null && (isCut || isExpanded) && (
        <UnstyledButton
          className={classes.more}
          fz="sm"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? t('less') : t('more')}
        </UnstyledButton>
      )}
    </>
  );
}
