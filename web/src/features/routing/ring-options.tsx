import { Select, Switch, Textarea } from '@mantine/core';
import { greetings, routing } from '#contract';
import { routeBounds } from '#contract/routing/rules';
import { formatDuration, NumberInput, t, useApiQuery, usePermission } from '#ui';
import type { DraftRoute } from './draft.ts';
import { musicOptions } from './labels.ts';
import type { DraftForm } from './draft.ts';
import css from './RouteEditor.module.css';

export interface RouteOptionsProps {
  form: DraftForm;
  index: number;
  mayEdit: boolean;
}
export interface RouteFieldsProps extends RouteOptionsProps {
  route: DraftRoute;
  /** Path of the route in the form. */
  at: `routes.${number}`;
}

/** How long it rings, and what callers and called see and hear meanwhile. */
export function RingingFields({ form, mayEdit, route, at }: RouteFieldsProps) {
  const field = { readOnly: !mayEdit };
  const holdGreetings = useApiQuery(
    greetings.listGreetings,
    { query: { type: 'hold', perPage: 250 } },
    { enabled: usePermission('routing.view'), silent: true, staleTime: 30_000 },
  );
  const ownMusic = (holdGreetings.response?.data ?? []).map((one) => ({
    value: String(one.id),
    label: `${one.name} (${formatDuration(one.duration_ms / 1000)})`,
  }));
  return (
    <>
      <NumberInput
        label={t('Rings for')}
        suffix=" s"
        min={routeBounds.timeout[0]}
        max={routeBounds.timeout[1]}
        allowDecimal={false}
        hideControls
        {...field}
        {...form.getInputProps(`${at}.timeout`)}
      />
      <Select
        label={t('Callers hear while it rings')}
        placeholder={t('Ringback tone')}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        data={[
          ...musicOptions(),
          ...(ownMusic.length > 0 ? [{ group: t('Custom'), items: ownMusic }] : []),
        ]}
        {...field}
        value={route.onhold_music_id || null}
        onChange={(value) => form.setFieldValue(`${at}.onhold_music_id`, value ?? '')}
      />
      <Select
        label={t('Caller ID shown')}
        data={[
          { value: 'pass', label: t('The caller’s number') },
          { value: 'own', label: t('This number') },
        ]}
        allowDeselect={false}
        {...field}
        value={route.caller_id_pass_thru ? 'pass' : 'own'}
        onChange={(value) => form.setFieldValue(`${at}.caller_id_pass_thru`, value !== 'own')}
      />
    </>
  );
}

/** Options that only one ring type has. */
export function RingTypeFields({ form, mayEdit, route, at }: RouteFieldsProps) {
  const field = { readOnly: !mayEdit };
  const toggle = { disabled: !mayEdit };
  return (
    <>
      {route.type === 'geo' && (
        <Switch
          label={t('Also use the caller’s state')}
          description={t('Used when no area code matches.')}
          {...toggle}
          checked={route.geo_by_state_enabled}
          onChange={(event) =>
            form.setFieldValue(`${at}.geo_by_state_enabled`, event.currentTarget.checked)
          }
        />
      )}
      {route.type === 'geo' && (
        <Switch
          label={t('Ring “all other areas” when none match')}
          {...toggle}
          checked={route.geo_by_state_static_fallback}
          onChange={(event) =>
            form.setFieldValue(`${at}.geo_by_state_static_fallback`, event.currentTarget.checked)
          }
        />
      )}
      {route.type === 'simultaneous' && (
        <Switch
          label={t('Stagger: five seconds between destinations')}
          {...toggle}
          checked={route.stagger}
          onChange={(event) => form.setFieldValue(`${at}.stagger`, event.currentTarget.checked)}
        />
      )}
      {route.type === 'sequential' && (
        <Select
          label={t('Ring order')}
          data={[
            { value: 'none', label: t('Always the first') },
            { value: 'strict', label: t('Round robin') },
            { value: 'least_recent', label: t('Longest idle first') },
            { value: 'weighted', label: t('By weight') },
          ]}
          allowDeselect={false}
          {...field}
          {...form.getInputProps(`${at}.round_robin`)}
        />
      )}
    </>
  );
}

/** What the person who answers hears and has to press. */
export function AnswerFields({ form, mayEdit, route, at }: RouteFieldsProps) {
  const field = { readOnly: !mayEdit };
  return (
    <>
      {route.type !== 'in-app-calling' && (
        <Select
          label={t('Key to accept the call')}
          description={t('Keeps answering machines from picking up.')}
          placeholder={t('None')}
          clearable={mayEdit}
          clearButtonProps={{ 'aria-label': t('Clear') }}
          data={routing.confirmKeys.map((one) => ({ value: one.value, label: one.label }))}
          {...field}
          value={route.confirm_key || null}
          onChange={(value) => form.setFieldValue(`${at}.confirm_key`, value ?? '')}
        />
      )}
      {route.confirm_key !== '' && route.type !== 'in-app-calling' && (
        <NumberInput
          label={t('Wait for key')}
          suffix=" s"
          min={routeBounds.confirm_key_wait[0]}
          max={routeBounds.confirm_key_wait[1]}
          allowDecimal={false}
          hideControls
          {...field}
          {...form.getInputProps(`${at}.confirm_key_wait`)}
        />
      )}
      <Textarea
        className={css.wide}
        label={t('Whisper')}
        description={t('Played to whichever person answers, before the caller is connected.')}
        minRows={1}
        maxLength={500}
        {...field}
        {...form.getInputProps(`${at}.confirm_whisper`)}
      />
    </>
  );
}
