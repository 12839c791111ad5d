import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet, IconPhoto, IconPrinter } from '@tabler/icons-react';
import { t, usePermission } from '#ui';
import type { PrintedFacts } from '../../../../shared/printing/PrintFacts.tsx';
import type { Question } from '../use-dashboard.ts';

/** Saves the dashboard as a picture or file, or prints it. The code of files comes with the first. */
export function ExportMenu({ question, facts }: { question: Question; facts: PrintedFacts }) {
  const mayExport = usePermission('exports.make');
  const [isSaving, setSaving] = useState(false);
  const save = async (as: 'csv' | 'png'): Promise<void> => {
    setSaving(true);
    const { saveDashboard } = await import('./save-dashboard.ts');
    await saveDashboard(as, question, facts).finally(() => setSaving(false));
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={isSaving}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('Print or save as PDF')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPhoto size={16} aria-hidden />}
          onClick={() => void save('png')}
        >
          {t('Picture (PNG)')}
        </Menu.Item>
        {mayExport && (
          <Menu.Item
            leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            onClick={() => void save('csv')}
          >
            {t('All rows (CSV)')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
