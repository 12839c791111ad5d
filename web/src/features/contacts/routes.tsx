import { IconAddressBook } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const contacts: Feature = {
  screens: [
    {
      path: '/contacts',
      load: () => import('./screens/Contacts.tsx'),
      permission: 'contacts.view',
      tab: { row: 'contacts', label: () => t('Contacts'), order: 10 },
    },
    {
      path: '/contacts/groups',
      load: () => import('./screens/ContactGroups.tsx'),
      permission: 'contacts.view',
      tab: { row: 'contacts', label: () => t('Groups'), order: 20 },
    },
    {
      path: '/contacts/labels',
      load: () => import('./screens/ContactLabels.tsx'),
      permission: 'contacts.view',
      tab: { row: 'contacts', label: () => t('Labels'), order: 30 },
    },
    {
      path: '/contacts/$id',
      load: () => import('./screens/ContactDetail.tsx'),
      permission: 'contacts.view',
    },
    {
      path: '/contacts/import',
      load: () => import('./screens/ContactsImport.tsx'),
      permission: 'contacts.bulk',
      tab: { row: 'contacts', label: () => t('Import'), order: 40 },
    },
  ],
  navigation: [
    {
      key: 'contacts',
      label: () => t('Contacts'),
      icon: IconAddressBook,
      order: 40,
      to: ['/contacts'],
      pathPrefix: '/contacts',
      shortcut: 'g c',
    },
  ],
  searches: [
    {
      group: () => t('Contacts'),
      order: 20,
      permission: 'contacts.view',
      find: async (query, signal) =>
        (await import('./find-contacts.ts')).findContacts(query, signal),
    },
  ],
};
