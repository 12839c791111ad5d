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
      {free.length > 0 && (
        <Select
          aria-label={t('Add a person')}
          placeholder={t('Add a person')}
          w={220}
          searchable
          value={null}
          data={free.map((person) => ({ value: String(person.id), label: person.name }))}
          onChange={(id) => {
            if (id) onAdd(emptyForward({ user_id: Number(id) }));
          }}
        />
      )}
      {otherTeams.length > 0 && (
        <Select
          aria-label={t('Add a team')}
          placeholder={t('Add a team')}
          w={220}
          searchable
          value={null}
          data={otherTeams.map((team) => ({ value: String(team.id), label: team.name }))}
          onChange={(id) => {
            const team = otherTeams.find((one) => String(one.id) === id);
            if (team) onAdd(emptyForward({ team_id: team.id, label: team.name }));
          }}
        />
      )}
      {unused.length > 0 && (
        <Select
          aria-label={t('Add forwarding number')}
          placeholder={t('Add forwarding number')}
          w={220}
          searchable
          value={null}
          data={unused.map((contact) => ({
            value: String(contact.id),
            label: contact.number ? `${contact.name}, ${numberText(contact.number)}` : contact.name,
          }))}
          onChange={(id) => {
            const contact = unused.find((one) => String(one.id) === id);
            if (contact)
              onAdd(
                emptyForward({
                  contact_id: contact.id,
                  label: contact.name,
                  number: numberText(contact.number),
                }),
              );
          }}
        />
      )}
    </Group>
  );
}
