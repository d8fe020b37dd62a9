import { Group, SegmentedControl, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CodeBlock } from './code-block.tsx';
import { curlOf } from './curl.ts';
import type { Operation } from './operations.ts';
import type { Draft, RequestPlan } from './request.ts';
import { programOf } from './sdk-call.ts';

interface ExamplesProps {
  operation: Operation;
  draft: Draft;
  plan: RequestPlan;
}

/** The request for programs. The key is never part of it. */
export function Examples({ operation, draft, plan }: ExamplesProps) {
  const t = useTranslations('reference');
  const [language, setLanguage] = useState('curl');
  const program = programOf(operation, draft, new URL(plan.url, window.location.origin).origin);
  const isProgram = language === 'typescript' && program !== null;
  return (
    <section>
      <Group justify="space-between" mb="xs" mih={36}>
        <Title order={2} size="h4">
          {t('program')}
        </Title>
        {program !== null && (
          <SegmentedControl
            size="xs"
            value={language}
            onChange={setLanguage}
            data={[
              { value: 'curl', label: 'curl' },
              { value: 'typescript', label: 'TypeScript' },
            ]}
            aria-label={t('codeLanguage')}
          />
        )}
      </Group>
      <CodeBlock label={isProgram ? 'TypeScript' : 'curl'} code={isProgram ? program : curlOf(plan)} />
    </section>
  );
}
