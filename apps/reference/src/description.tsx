import { Anchor, Code, List, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { type Inline, parseMarkdown } from './markdown.ts';

interface DescriptionProps {
  size?: 'sm' | 'md';
  /** In the document's part of Markdown, in English. */
  text: string;
}

/** A description of the document. */
export function Description({ text, size = 'md' }: DescriptionProps) {
  if (text === '') return null;
  return (
    <Stack gap={6} lang="en">
      {parseMarkdown(text).map((block, index) =>
        block.kind === 'paragraph' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never move
          <Text key={index} size={size} style={{ overflowWrap: 'anywhere' }}>
            <Content parts={block.content} />
          </Text>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never move
          <List key={index} size={size}>
            {block.items.map((item, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text never move
              <List.Item key={place}>
                <Content parts={item} />
              </List.Item>
            ))}
          </List>
        ),
      )}
    </Stack>
  );
}

function Content({ parts }: { parts: Inline[] }) {
  return parts.map(({ kind, text }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    return <Fragment key={index}>{inline(kind, text)}</Fragment>;
  });
}

function inline(kind: Inline['kind'], text: string) {
  if (kind === 'code') return <Code>{text}</Code>;
  if (kind === 'text') return text;
  return (
    <Anchor href={text} rel="noreferrer" inherit underline="always">
      {text}
    </Anchor>
  );
}
