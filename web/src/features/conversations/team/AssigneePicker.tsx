import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconCheck, IconUserOff, IconUsersGroup } from '@tabler/icons-react';
import { foldedIncludes } from '#contract/fold';
import { Modal, PersonAvatar, t, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { conversationName } from '#ui/messaging/labels.ts';
import { useTeammates, useTeams, type Assignee } from './use-teammates.ts';
import css from './PickPerson.module.css';

interface PickProps {
  list: readonly Conversation[];
  numberId: number | undefined;
  /** Whose they are, as `keyOf` says it; undefined when the conversations have different ones. */
  holder: string | undefined;
  onPick: (assignee: Assignee | null) => void;
  onClose: () => void;
}

/** Tells assignees apart: `user-5`, `team-9`, or `nobody`. */
const keyOf = (assignee: Assignee | null): string =>
  assignee === null ? 'nobody' : `${assignee.isTeam ? 'team' : 'user'}-${assignee.id}`;

/** Chooses an assignee by name, with arrow keys and Enter. The signed-in user is first, teams are last. */
export function AssigneePicker({ list, numberId, holder, onPick, onClose }: PickProps) {
  const { search, setSearch, choices, chosen, point, move } = useAssigneeChoices(numberId, holder);
  const title =
    list.length === 1 && list[0]
      ? t('Assign conversation with {name}', { name: conversationName(list[0]) })
      : t('{n, plural, one {Assign # conversation} other {Assign # conversations}}', {
          n: list.length,
        });
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="xs"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('Find a teammate')}
        aria-expanded
        aria-controls="assign-list"
        aria-activedescendant={chosen === undefined ? undefined : optionId(chosen)}
        placeholder={t('Name')}
        value={search}
        onChange={(e) => setSearch(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'ArrowDown') move(1);
          else if (e.key === 'ArrowUp') move(-1);
          else if (e.key === 'Enter' && chosen !== undefined) onPick(chosen);
          else return;
          e.preventDefault();
        }}
      />
      <div id="assign-list" role="listbox" aria-label={t('Teammates')} className={css.list}>
        {choices.map((person) => (
          <AssigneeOption
            key={optionId(person)}
            person={person}
            isChosen={person === chosen}
            isHolder={person !== null && keyOf(person) === holder}
            onPick={() => onPick(person)}
            onPoint={() => point(person)}
          />
        ))}
      </div>
      {choices.length === 0 && (
        <p className={css.none}>{t('No teammate or team with that name can see this number.')}</p>
      )}
    </Modal>
  );
}

const optionId = (person: Assignee | null): string => `assign-${keyOf(person)}`;

/** The teammates who match the search, teams, then no one (null), and which of them Enter picks. */
function useAssigneeChoices(numberId: number | undefined, holder: string | undefined) {
  const me = useUser();
  const teammates = useTeammates(numberId);
  const teams = useTeams(numberId);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const fits = (name: string): boolean => foldedIncludes(name, search);
  const people = [...teammates]
    .sort((a, b) => Number(b.id === me?.id) - Number(a.id === me?.id))
    .filter((p) => fits(p.name) || (p.id === me?.id && fits(t('Me'))));
  const nobody = holder !== keyOf(null) && (search === '' || fits(t('No one')));
  const choices: (Assignee | null)[] = [
    ...people,
    ...teams.filter((one) => fits(one.name)),
    ...(nobody ? [null] : []),
  ];
  const last = choices.length - 1;
  return {
    search,
    setSearch: (next: string): void => {
      setSearch(next);
      setAt(0);
    },
    choices,
    chosen: choices[Math.min(at, last)],
    point: (person: Assignee | null): void => setAt(choices.indexOf(person)),
    move: (by: 1 | -1): void =>
      setAt((now) => (Math.min(now, last) + by + choices.length) % Math.max(1, choices.length)),
  };
}

function AssigneeOption({
  person,
  isChosen,
  isHolder,
  onPick,
  onPoint,
}: {
  person: Assignee | null;
  isChosen: boolean;
  isHolder: boolean;
  onPick: () => void;
  onPoint: () => void;
}) {
  const me = useUser();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
    <div
      id={optionId(person)}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={css.person}
      onClick={onPick}
      onMouseEnter={onPoint}
    >
      {person?.isTeam ? (
        <IconUsersGroup size={20} stroke={1.5} aria-hidden className={css.nobody} />
      ) : person ? (
        <PersonAvatar name={person.name} size={24} />
      ) : (
        <IconUserOff size={20} stroke={1.5} aria-hidden className={css.nobody} />
      )}
      <span className={css.name}>
        {person ? person.name : t('No one')}
        {person && !person.isTeam && person.id === me?.id && (
          <span className={css.me}>{t('you')}</span>
        )}
      </span>
      {isHolder && <IconCheck size={16} aria-label={t('Currently assigned')} />}
    </div>
  );
}
