/** One input for connecting an account, in the words of its platform. */
import { Group, PasswordInput, Radio, TextInput } from '@mantine/core';
import { RichText, useFormText } from '../rich-text.tsx';
import type { Field } from './connect-fields.ts';

interface ConnectFieldProps {
  field: Field;
  value: string;
  onChange(value: string): void;
}

export function ConnectField({ field, value, onChange }: ConnectFieldProps) {
  const textOf = useFormText();
  const common = {
    label: textOf(field.title),
    description: field.hint && <RichText text={field.hint} />,
    required: field.required,
    value,
  };
  if (field.values)
    return (
      <Radio.Group {...common} onChange={onChange}>
        <Group mt="xs" gap="md">
          {field.values.map((each) => (
            <Radio key={each.value} value={each.value} label={textOf(each.title)} />
          ))}
        </Group>
      </Radio.Group>
    );
  const Input = field.secret ? PasswordInput : TextInput;
  return <Input {...common} autoComplete="off" onChange={({ currentTarget: { value: typed } }) => onChange(typed)} />;
}
