import { ActionIcon, TagsInput, TextInput } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconBookmark,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react';
import { routeBounds } from '#contract/routing/rules';
import { NumberInput, PersonAvatar, t } from '#ui';
import type { DraftForward, DraftRoute } from './draft.ts';
import type { DraftForm } from './draft.ts';
import css from './RouteEditor.module.css';

interface RowProps {
  form: DraftForm;
  /** Path of the destination in the form. */
  path: `routes.${number}.forwards.${number}`;
  route: DraftRoute;
  forward: DraftForward;
  name: string;
  index: number;
  mayEdit: boolean;
  /** Moves the row; `focus` names the button that keeps the focus. */
  onMove: (by: 1 | -1, focus: 'up' | 'down' | null) => void;
  onRemove: () => void;
}

/** One destination: who it is, what its ring type asks for, and its buttons. Alt with an arrow key moves it. */
export function DestinationRow(props: RowProps) {
  const { index, mayEdit, onMove } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys pressed in the row's own inputs and buttons bubble here
    <li
      className={css.row}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
        if (!mayEdit || !event.altKey || by === null) return;
        event.preventDefault();
        onMove(by, null);
      }}
    >
      <span className={css.place} aria-hidden>
        {index + 1}
      </span>
      <Destination {...props} />
      <RingSetting {...props} />
      <RowButtons {...props} />
    </li>
  );
}

/** A saved forwarding number, a team, a person, or a phone to type in with a name; two cells of the row. */
function Destination({ form, path, forward, name, mayEdit }: RowProps) {
  if (forward.contact_id !== null)
    return (
      <>
        <span className={css.person}>
          <IconBookmark size={16} aria-hidden />
          <span>
            <a href={`/numbers/forwarding?open=${forward.contact_id}`}>{name}</a>
            {forward.number && <small className={css.quiet}> {forward.number}</small>}
          </span>
        </span>
        <span className={css.quiet}>{form.errors[`${path}.contact_id`]}</span>
      </>
    );
  if (forward.team_id !== null)
    return (
      <>
        <span className={css.person}>
          <IconUsersGroup size={16} aria-hidden />
          <a href={`/settings/teams?open=${forward.team_id}`}>{name}</a>
        </span>
        <span className={css.quiet}>{form.errors[`${path}.team_id`]}</span>
      </>
    );
  if (forward.user_id !== null)
    return (
      <>
        <span className={css.person}>
          <PersonAvatar name={name} size={24} />
          <span>{name}</span>
        </span>
        <span className={css.quiet}>{form.errors[`${path}.user_id`]}</span>
      </>
    );
  return (
    <>
      <TextInput
        aria-label={t('Phone number or SIP address')}
        placeholder="(212) 555-0147"
        inputMode="tel"
        readOnly={!mayEdit}
        {...form.getInputProps(`${path}.number`)}
      />
      <TextInput
        aria-label={t('Name of this destination')}
        placeholder={t('Name')}
        maxLength={80}
        readOnly={!mayEdit}
        {...form.getInputProps(`${path}.label`)}
      />
    </>
  );
}

/** Weight, seconds or areas, as the ring type needs; an empty cell for the others. */
function RingSetting({ form, path, route, forward, name, mayEdit }: RowProps) {
  if (route.type === 'standard' && route.forwards.length > 1)
    return (
      <NumberInput
        aria-label={t('Weight of {name}', { name: name })}
        placeholder={t('Weight')}
        min={routeBounds.weight[0]}
        max={routeBounds.weight[1]}
        w={92}
        hideControls
        readOnly={!mayEdit}
        value={forward.weight ?? ''}
        error={form.errors[`${path}.weight`]}
        onChange={(value) =>
          form.setFieldValue(`${path}.weight`, value === '' ? null : Number(value))
        }
      />
    );
  if (route.type === 'sequential')
    return (
      <NumberInput
        aria-label={t('Seconds {name} rings', { name: name })}
        placeholder={`${route.timeout} s`}
        suffix=" s"
        min={routeBounds.timeout[0]}
        max={routeBounds.timeout[1]}
        w={92}
        hideControls
        readOnly={!mayEdit}
        value={forward.timeout ?? ''}
        error={form.errors[`${path}.timeout`]}
        onChange={(value) =>
          form.setFieldValue(`${path}.timeout`, value === '' ? null : Number(value))
        }
      />
    );
  if (route.type !== 'geo') return <span />;
  return <AreasInput form={form} path={path} forward={forward} name={name} mayEdit={mayEdit} />;
}

/** Area codes and states in one field; none: all other areas. */
function AreasInput({
  form,
  path,
  forward,
  name,
  mayEdit,
}: Pick<RowProps, 'form' | 'path' | 'forward' | 'name' | 'mayEdit'>) {
  const areas = [...forward.area_codes, ...forward.states];
  return (
    <TagsInput
      aria-label={t('Area codes and states of {name}', { name })}
      placeholder={areas.length === 0 ? t('All other areas') : ''}
      readOnly={!mayEdit}
      maw={220}
      splitChars={[',', ' ']}
      value={areas}
      error={form.errors[`${path}.area_codes.0`] ?? form.errors[`${path}.states.0`]}
      onChange={(typed) => {
        const all = typed.flatMap((one) => one.split(/[\s,;]+/)).filter((one) => one !== '');
        form.setFieldValue(
          `${path}.area_codes`,
          all.filter((area) => /^\d/.test(area)),
        );
        form.setFieldValue(
          `${path}.states`,
          all.filter((area) => /^[a-z]/i.test(area)).map((area) => area.toUpperCase()),
        );
      }}
    />
  );
}

function RowButtons({ route, name, index, mayEdit, onMove, onRemove }: RowProps) {
  const count = route.forwards.length;
  return (
    <span className={css.moves}>
      {mayEdit && count > 1 && (
        <ActionIcon
          data-move="up"
          aria-label={t('Move {name} up', { name: name })}
          aria-disabled={index === 0}
          onClick={() => onMove(-1, 'up')}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
      )}
      {mayEdit && count > 1 && (
        <ActionIcon
          data-move="down"
          aria-label={t('Move {name} down', { name: name })}
          aria-disabled={index === count - 1}
          onClick={() => onMove(1, 'down')}
        >
          <IconArrowDown size={16} />
        </ActionIcon>
      )}
      {mayEdit && (
        <ActionIcon aria-label={t('Remove {name}', { name: name })} onClick={() => onRemove()}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </span>
  );
}
