import { Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { t } from '#ui';
import { GreetingPicker } from '../numbers/index.ts';
import { afterHoursActions } from './draft.ts';
import { HoursField } from './HoursField.tsx';
import {
  AnswerFields,
  RingingFields,
  RingTypeFields,
  type RouteFieldsProps,
  type RouteOptionsProps,
} from './ring-options.tsx';
import type { DraftForm } from './draft.ts';
import css from './RouteEditor.module.css';

/** The first error at or below a path of the form. */
const errorBelow = (form: DraftForm, path: string): React.ReactNode =>
  Object.entries(form.errors).find(([field]) => field.startsWith(path))?.[1];

/** Everything about a route except who rings: hours, ringing, voicemail and alerts. */
export function RouteOptions({ form, index, mayEdit }: RouteOptionsProps) {
  const route = form.values.routes[index];
  if (!route) return null;
  const at = `routes.${index}` as const;
  const rings = route.type !== 'voicemail';
  const hasLimitedHours = route.business_hours !== null && route.business_hours.preset !== 1;
  const fields = { form, index, mayEdit, route, at };
  return (
    <div className={css.options}>
      <HoursField
        value={route.business_hours}
        onChange={(hours) => form.setFieldValue(`${at}.business_hours`, hours)}
        mayEdit={mayEdit}
        error={errorBelow(form, `${at}.business_hours`)}
      />
      {(hasLimitedHours || route.type === 'in-app-calling') && <AfterHoursFields {...fields} />}
      {rings && (
        <div className={css.fields}>
          <RingingFields {...fields} />
          <RingTypeFields {...fields} />
          <AnswerFields {...fields} />
        </div>
      )}
      <div className={css.fields}>
        <VoicemailFields {...fields} />
        <TagsInput
          className={css.wide}
          label={t('Email about calls to')}
          placeholder={route.email_alert_address.length === 0 ? 'front@example.com' : ''}
          splitChars={[',', ' ', ';']}
          readOnly={!mayEdit}
          {...form.getInputProps(`${at}.email_alert_address`)}
          error={errorBelow(form, `${at}.email_alert_address`)}
        />
      </div>
    </div>
  );
}

/** What callers meet when closed, or when no one is active in the app. */
function AfterHoursFields(props: RouteFieldsProps) {
  const { form, mayEdit, route, at } = props;
  const { action } = route.after_hours;
  const others = otherRoutes(props);
  return (
    <div className={css.fields}>
      <Select
        label={
          route.type === 'in-app-calling'
            ? t('After hours, or when no one is active')
            : t('After hours')
        }
        readOnly={!mayEdit}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        placeholder={t('Voicemail if on, otherwise a message')}
        data={[
          { value: 'voicemail', label: t('Voicemail') },
          { value: 'forward', label: t('Forward to a phone') },
          { value: 'greeting', label: t('Play a message and hang up') },
          ...(others.length > 0 ? [{ value: 'route', label: t('Another extension') }] : []),
        ]}
        value={action === '' ? null : action}
        onChange={(value) =>
          form.setFieldValue(`${at}.after_hours`, {
            action: afterHoursActions.find((one) => one === value) ?? '',
            target: '',
            greeting_id: null,
          })
        }
      />
      <AfterHoursTarget {...props} />
    </div>
  );
}

/** The routes that a caller can be sent to from this one. */
const otherRoutes = ({ form, index, route }: RouteFieldsProps) =>
  form.values.routes.filter((one, i) => i !== index && one.extension !== route.extension);

/** What the chosen action needs: a phone, a greeting or an extension. */
function AfterHoursTarget(props: RouteFieldsProps) {
  const { form, mayEdit, route, at } = props;
  const { action } = route.after_hours;
  const target = { readOnly: !mayEdit, ...form.getInputProps(`${at}.after_hours.target`) };
  if (action === 'forward')
    return (
      <TextInput label={t('Phone')} inputMode="tel" placeholder="(212) 555-0147" {...target} />
    );
  if (action === 'greeting')
    return (
      <>
        <GreetingPicker
          label={t('Greeting')}
          type="after_hours"
          none={t('Custom text')}
          readOnly={!mayEdit}
          value={route.after_hours.greeting_id ?? null}
          onChange={(id) => form.setFieldValue(`${at}.after_hours.greeting_id`, id)}
        />
        {!route.after_hours.greeting_id && (
          <Textarea label={t('What callers hear')} maxLength={1000} {...target} />
        )}
      </>
    );
  if (action !== 'route') return null;
  return (
    <Select
      label={t('Extension')}
      data={otherRoutes(props).map((one) => ({
        value: String(one.extension),
        label: one.label === '' ? String(one.extension) : `${one.extension} ${one.label}`,
      }))}
      {...target}
      value={route.after_hours.target || null}
    />
  );
}

function VoicemailFields({ form, mayEdit, route, at }: RouteFieldsProps) {
  const field = { readOnly: !mayEdit };
  const toggle = { disabled: !mayEdit };
  const rings = route.type !== 'voicemail';
  const takesVoicemail =
    route.voicemail_enabled || !rings || route.after_hours.action === 'voicemail';
  return (
    <>
      {rings && (
        <Switch
          label={t('Voicemail when no one answers')}
          {...toggle}
          checked={route.voicemail_enabled}
          onChange={(event) =>
            form.setFieldValue(`${at}.voicemail_enabled`, event.currentTarget.checked)
          }
        />
      )}
      {takesVoicemail && (
        <GreetingPicker
          label={t('Voicemail greeting')}
          type="voicemail"
          none={t('Custom text, or the number’s')}
          readOnly={!mayEdit}
          value={route.voicemail_greeting_id}
          onChange={(id) => form.setFieldValue(`${at}.voicemail_greeting_id`, id)}
          error={form.errors[`${at}.voicemail_greeting_id`]}
        />
      )}
      {takesVoicemail && route.voicemail_greeting_id === null && (
        <Textarea
          className={css.wide}
          label={t('Voicemail text')}
          placeholder={t('The number’s own, or the default')}
          maxLength={1000}
          {...field}
          {...form.getInputProps(`${at}.voicemail_greeting`)}
        />
      )}
    </>
  );
}
