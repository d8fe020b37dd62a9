import { FileInput, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconPaperclip } from '@reelay/web/ui/icons/index.ts';
import { useTranslations } from 'use-intl';
import { useApi } from './api-context.tsx';
import type { Parameter } from './document.ts';
import type { Operation } from './operations.ts';
import { bodyOf, type Draft, enterable, keyOf } from './request.ts';

interface TryFieldsProps {
  operation: Operation;
  draft: Draft;
  /** Keys of the fields that are not right. */
  problems: readonly string[];
  onChange(draft: Draft): void;
}

const MAX_ROWS = 18;

/** The parameters and the body of a request. */
export function TryFields({ operation, draft, problems, onChange }: TryFieldsProps) {
  const t = useTranslations('reference');
  const { document } = useApi();
  const body = bodyOf(document, operation);
  const setParameter = (key: string) => (value: string) =>
    onChange({ ...draft, parameters: { ...draft.parameters, [key]: value } });
  const setField = (name: string) => (value: string) =>
    onChange({ ...draft, fields: { ...draft.fields, [name]: value } });
  const setFile = (name: string) => (file: File | null) =>
    onChange({ ...draft, files: { ...draft.files, [name]: file } });
  return (
    <>
      {enterable(operation).map((each) => {
        const key = keyOf(each);
        return (
          <Field
            key={key}
            name={each.name}
            isRequired={each.required ?? false}
            isMissing={problems.includes(key) && !draft.parameters[key]}
            values={valuesOf(each)}
            example={String(each.schema.examples?.[0] ?? '')}
            value={draft.parameters[key] ?? ''}
            onChange={setParameter(key)}
          />
        );
      })}
      {body?.fields.map(({ name, isRequired, isFile, values, example }) =>
        isFile ? (
          <FileField
            key={name}
            label={name}
            isRequired={isRequired}
            file={draft.files[name]}
            onChange={setFile(name)}
          />
        ) : (
          <Field
            key={name}
            name={name}
            isRequired={isRequired}
            isMissing={problems.includes(`field.${name}`) && !draft.fields[name]}
            values={values}
            example={example}
            value={draft.fields[name] ?? ''}
            onChange={setField(name)}
          />
        ),
      )}
      {body?.type === 'application/json' && (
        <Textarea
          label={t('body')}
          value={draft.json}
          onChange={({ currentTarget }) => onChange({ ...draft, json: currentTarget.value })}
          rows={Math.min(MAX_ROWS, draft.json.split('\n').length + 1)}
          error={problems.includes('json') && t('notJson')}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
        />
      )}
      {body && body.type !== 'application/json' && body.fields.length === 0 && (
        <FileField label={t('body')} isRequired={false} file={draft.files['']} onChange={setFile('')} />
      )}
    </>
  );
}

function valuesOf({ schema }: Parameter): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return (schema.enum ?? []).map(String);
}

interface FieldProps {
  name: string;
  isRequired: boolean;
  isMissing: boolean;
  /** The allowed values; empty if it is a text. */
  values: readonly string[];
  example: string;
  value: string;
  onChange(value: string): void;
}

function Field({ name, isRequired, isMissing, values, example, value, onChange }: FieldProps) {
  const t = useTranslations('reference');
  const common = {
    label: name,
    required: isRequired,
    error: isMissing && t('missing'),
    styles: { label: { fontFamily: 'var(--mantine-font-family-monospace)' } },
  };
  if (values.length > 0)
    return (
      <NativeSelect
        {...common}
        data={['', ...values]}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      placeholder={example}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

interface FileFieldProps {
  label: string;
  isRequired: boolean;
  file: File | null | undefined;
  onChange(file: File | null): void;
}

function FileField({ label, isRequired, file, onChange }: FileFieldProps) {
  const t = useTranslations('reference');
  return (
    <FileInput
      label={label}
      required={isRequired}
      placeholder={t('chooseFile')}
      leftSection={<IconPaperclip size={16} aria-hidden />}
      value={file ?? null}
      onChange={onChange}
      styles={{ placeholder: { color: 'var(--mantine-color-dimmed)' } }}
      clearable
      clearButtonProps={{ 'aria-label': t('clearFile') }}
    />
  );
}
