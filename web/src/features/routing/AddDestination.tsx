import { Button, Group, Select } from '@mantine/core';
import { IconPhonePlus } from '@tabler/icons-react';
import type { forwarding } from '#contract';
import { formatPhoneNumber, t } from '#ui';
import { emptyForward, type DraftForward, type DraftRoute } from './draft.ts';

interface AddDestinationProps {
  route: DraftRoute;
  people: readonly { id: number; name: string }[];
  teams: readonly { id: number; name: string }[];
  contacts: readonly forwarding.ForwardContact[];
  onAdd: (forward: DraftForward) => void;
}

const numberText = (number: string | null): string => {
  if (number === null) return '';
  return number.startsWith('+') ? formatPhoneNumber(number) : number;
};

/** Adds a phone, a person, a team, or a saved forwarding number; only people can be rung in the app. */
export function AddDestination({ route, people, teams, contacts, onAdd }: AddDestinationProps) {
  const unused = contacts.filter((contact) => {
    const isUsed = route.forwards.some((one) => one.contact_id === contact.id);
    return !isUsed && (route.type !== 'in-app-calling' || contact.type === 'user');
  });
  const free = people.filter(({ id }) => !route.forwards.some((one) => one.user_id === id));
  const otherTeams = teams.filter(({ id }) => !route.forwards.some((one) => one.team_id === id));
  return (
    <Group gap="xs" mt={route.forwards.length > 0 ? 8 : 0} align="center">
      {route.type !== 'in-app-calling' && (
        <Button
          variant="default"
          leftSection={<IconPhonePlus size={16} aria-hidden />}
          onClick={() => onAdd(emptyForward())}
        >
          {t('Add a phone')}
        </Button>
      )}
      <Pick
        label={t('Add a person')}
        choices={free}
        onPick={({ id }) => onAdd(emptyForward({ user_id: id }))}
      />
      <Pick
        label={t('Add a team')}
        choices={otherTeams}
        onPick={({ id, name }) => onAdd(emptyForward({ team_id: id, label: name }))}
      />
      <Pick
        label={t('Add forwarding number')}
        choices={unused.map((contact) => ({
          ...contact,
          shown: contact.number ? `${contact.name}, ${numberText(contact.number)}` : contact.name,
        }))}
        onPick={({ id, name, number }) =>
          onAdd(emptyForward({ contact_id: id, label: name, number: numberText(number) }))
        }
      />
    </Group>
  );
}

/** Adds one of the choices at once; nothing when there are none. `shown`: how it is listed, else its name. */
function Pick<C extends { id: number; name: string; shown?: string }>({
  label,
  choices,
  onPick,
}: {
  label: string;
  choices: readonly C[];
  onPick: (choice: C) => void;
}) {
  if (choices.length === 0) return null;
  return (
    <Select
      aria-label={label}
      placeholder={label}
      w={220}
      searchable
      value={null}
      data={choices.map(({ id, name, shown }) => ({ value: String(id), label: shown ?? name }))}
      onChange={(id) => {
        const choice = choices.find((one) => String(one.id) === id);
        if (choice) onPick(choice);
      }}
    />
  );
}
