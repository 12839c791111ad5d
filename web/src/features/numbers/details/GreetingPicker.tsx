import { Select } from '@mantine/core';
import { greetings } from '#contract';
import { formatDuration, t, useApiQuery, usePermission } from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { typeName } from '../greeting-labels.ts';
import css from './GreetingPicker.module.css';

interface GreetingPickerProps {
  label: string;
  type: greetings.GreetingType;
  value: number | null;
  onChange: (id: number | null) => void;
  readOnly?: boolean;
  description?: string;
  /** Placeholder when no greeting is chosen, such as "Custom text". */
  none: string;
  error?: React.ReactNode;
  /**
   * Whether greetings of other types are listed, too, below those of the given type. Default: true.
   */
  anyType?: boolean;
}

/**
 * Chooses a greeting from the library and plays the chosen one. Null when the user may not list
 * greetings, or when there are none.
 */
export function GreetingPicker({
  label,
  type,
  value,
  onChange,
  readOnly = false,
  description,
  none,
  error,
  anyType = true,
}: GreetingPickerProps) {
  const mayList = usePermission('routing.view');
  const { response } = useApiQuery(
    greetings.listGreetings,
    { query: { perPage: 250, sort: 'name', dir: 'asc' } },
    { enabled: mayList, silent: true, staleTime: 30_000 },
  );
  const all = response?.data ?? [];
  const option = (one: greetings.Greeting) => ({
    value: String(one.id),
    label: `${one.name} (${formatDuration(one.duration_ms / 1000)})`,
  });
  const fitting = all.filter((one) => one.type === type);
  const others = anyType ? all.filter((one) => one.type !== type && one.type !== 'hold') : [];
  const chosen = all.find((one) => one.id === value);
  if (!mayList || (response && fitting.length + others.length === 0 && value === null)) return null;
  return (
    <div className={css.picker}>
      <Select
        label={label}
        placeholder={none}
        readOnly={readOnly}
        clearable={!readOnly}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        searchable={all.length > 8}
        {...(description && { description })}
        {...(error !== undefined && error !== null && { error })}
        data={[
          ...(fitting.length > 0 ? [{ group: typeName(type), items: fitting.map(option) }] : []),
          ...(others.length > 0 ? [{ group: t('Other'), items: others.map(option) }] : []),
        ]}
        value={value === null ? null : String(value)}
        onChange={(id) => onChange(id === null ? null : Number(id))}
      />
      {chosen && (
        <AudioClip
          key={chosen.file_url}
          url={chosen.file_url}
          seconds={chosen.duration_ms / 1000}
          label={chosen.name}
        />
      )}
    </div>
  );
}
