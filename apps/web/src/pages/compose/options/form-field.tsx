/** One field of a post form. */
import { Checkbox, Group, Radio, Select, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { OptionValue } from '../../../drafts/draft.ts';
import { RichText, useFormText } from '../../../ui/rich-text.tsx';
import { asksInRow, type FieldState } from './form-state.ts';
import { useProblemText } from './problem-text.ts';

interface FieldProps {
  state: FieldState;
  /** The raw input, also if it is blank or invalid. */
  stored: OptionValue | undefined;
  /** undefined empties the field. */
  onChange(value: OptionValue | undefined): void;
}

export function FormField(props: FieldProps) {
  const { field, notes } = props.state;
  return (
    <Stack gap={4}>
      <Input {...props} />
      {notes.map((note) => (
        <Text key={note.en} size="sm" role="status">
          <RichText text={note} />
        </Text>
      ))}
      {field.unavailable && (
        <Text size="sm" c="dimmed">
          <RichText text={field.unavailable} />
        </Text>
      )}
    </Stack>
  );
}

function Input(props: FieldProps) {
  const { field } = props.state;
  if (asksInRow(field)) return <Question {...props} />;
  if (field.type === 'flag') return <Flag {...props} />;
  if (field.type === 'choice') return <Choice {...props} />;
  if (field.type === 'choices') return <Choices {...props} />;
  return field.type === 'texts' ? <Texts {...props} /> : <Line {...props} />;
}

function useInput({ state: { field, problem } }: FieldProps) {
  const textOf = useFormText();
  const problemText = useProblemText();
  return {
    label: textOf(field.label),
    description: field.hint && <RichText text={field.hint} />,
    error: problem && problem.kind !== 'missing' ? problemText(problem) : undefined,
    disabled: field.unavailable !== undefined,
    withAsterisk: field.ask,
  };
}

/** One click answers it. */
function Question(props: FieldProps) {
  const { state, onChange } = props;
  const { field } = state;
  const textOf = useFormText();
  return (
    <Radio.Group
      {...useInput(props)}
      value={state.value === null ? '' : String(state.value)}
      onChange={(value) => onChange(field.type === 'flag' ? value === 'true' : value)}
    >
      <Group mt="xs" gap="md">
        {field.values?.map(({ value, label }) => {
          const refusal = state.blocked.find((each) => String(each.value) === value);
          return (
            <Radio
              key={value}
              value={value}
              label={textOf(label)}
              description={refusal && <RichText text={refusal.reason} />}
              disabled={refusal !== undefined}
            />
          );
        })}
      </Group>
    </Radio.Group>
  );
}

function Flag(props: FieldProps) {
  const { state, onChange } = props;
  const { withAsterisk: _, error, ...input } = useInput(props);
  const isOn = state.value === true;
  const refusal = state.blocked.find(({ value }) => value === true);
  // A switch that is on can always be turned off.
  const isBlocked = refusal !== undefined && !isOn;
  const Control = state.field.pageOnly ? Switch : Checkbox;
  return (
    <Control
      {...input}
      error={isBlocked ? <RichText text={refusal.reason} /> : error}
      disabled={input.disabled || isBlocked}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
    />
  );
}

function Choice(props: FieldProps) {
  const t = useTranslations('postOptions');
  const textOf = useFormText();
  const { field, value, blocked } = props.state;
  const reasonOf = (each: string) => blocked.find((refusal) => refusal.value === each)?.reason;
  const preset = field.preset === undefined ? t('notSet') : t('preset', { value: field.preset });
  return (
    <Select
      {...useInput(props)}
      data={(field.values ?? []).map((each) => ({
        value: each.value,
        label: textOf(each.label),
        disabled: reasonOf(each.value) !== undefined,
      }))}
      renderOption={({ option }) => {
        const reason = reasonOf(option.value);
        return (
          <div title={reason && textOf(reason)}>
            {option.label}
            {reason && <Text size="xs">{textOf(reason)}</Text>}
          </div>
        );
      }}
      placeholder={field.ask ? t('choose') : preset}
      value={typeof value === 'string' ? value : null}
      onChange={(chosen) => props.onChange(chosen ?? undefined)}
      clearable={!field.ask}
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('clear', { name: textOf(field.label) }) }}
    />
  );
}

function Choices(props: FieldProps) {
  const textOf = useFormText();
  const { field, value } = props.state;
  return (
    <Checkbox.Group
      {...useInput(props)}
      value={Array.isArray(value) ? value : []}
      onChange={(chosen) => props.onChange(chosen.length > 0 ? chosen : undefined)}
    >
      <Stack mt="xs" gap="xs">
        {field.values?.map((each) => (
          <Checkbox key={each.value} value={each.value} label={textOf(each.label)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function Texts(props: FieldProps) {
  const t = useTranslations('postOptions');
  const { stored, onChange } = props;
  return (
    <TagsInput
      {...useInput(props)}
      placeholder={t('addItem')}
      value={Array.isArray(stored) ? stored : []}
      onChange={(texts) => onChange(texts.length > 0 ? texts : undefined)}
      acceptValueOnBlur
    />
  );
}

function Line(props: FieldProps) {
  const { stored, onChange } = props;
  return (
    <TextInput
      {...useInput(props)}
      dir="auto"
      translate="no"
      value={typeof stored === 'string' ? stored : ''}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? undefined : value)}
    />
  );
}
