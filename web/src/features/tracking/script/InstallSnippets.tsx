import { useState } from 'react';
import { Button, CopyButton, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import type { tracking } from '#contract';
import { Section, t } from '#ui';
import css from './script.module.css';

type Way = 'html' | 'latest' | 'gtm' | 'wordpress' | 'nextjs' | 'shopify';

/** How to put the script on a website, for each way that websites are made. */
export function InstallSnippets({ script }: { script: tracking.Script }) {
  const [way, setWay] = useState<Way>('html');
  const { code, where } = snippetOf(script, way);
  return (
    <Section
      title={t('Put the script on your website')}
      about={t('Add it once to every page. It only changes phone numbers.')}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('Kind of website')}
          className={css.ways ?? ''}
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={[
            { value: 'html', label: t('HTML') },
            { value: 'latest', label: t('HTML, always newest') },
            { value: 'gtm', label: t('Tag Manager') },
            { value: 'wordpress', label: t('WordPress') },
            { value: 'nextjs', label: t('Next.js') },
            { value: 'shopify', label: t('Shopify') },
          ]}
        />
        <Text size="sm">{where}</Text>
        <pre className={css.code} tabIndex={0} aria-label={t('Code to copy')}>
          {code}
        </pre>
        <Group gap="sm">
          <CopyButton value={code}>
            {({ copied, copy }) => (
              <Button onClick={copy}>{copied ? t('Copied') : t('Copy code')}</Button>
            )}
          </CopyButton>
          <DownloadFile script={script} way={way} />
          <Button variant="default" component="a" href={mailTo(where, code)}>
            {t('Email your web designer')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

/** The file of ways that have one. */
function DownloadFile({ script, way }: { script: tracking.Script; way: Way }) {
  const { wordpress, gtmTemplate } = script;
  const file =
    way === 'wordpress'
      ? {
          label: t('Download plugin'),
          name: wordpress.fileName,
          href: `data:application/zip;base64,${wordpress.zip}`,
        }
      : way === 'gtm'
        ? {
            label: t('Download template'),
            name: gtmTemplate.fileName,
            href: `data:text/plain;charset=utf-8,${encodeURIComponent(gtmTemplate.content)}`,
          }
        : null;
  return (
    file && (
      <Button variant="default" component="a" href={file.href} download={file.name}>
        {file.label}
      </Button>
    )
  );
}

function snippetOf(script: tracking.Script, way: Way): { code: string; where: string } {
  const version = script.version;
  return {
    html: {
      code: script.snippet,
      where: t(
        'Paste it before </head>. Browsers run exactly version {version}, never anything else.',
        { version },
      ),
    },
    latest: {
      code: script.snippetLatest,
      where: t('Paste it before </head>. Updates are automatic.'),
    },
    gtm: {
      code: script.gtmSnippet,
      where: t(
        'Add a Custom HTML tag with this code, with the trigger All Pages, and publish. Where custom HTML isn’t allowed, import the template under Templates, Tag Templates, New.',
      ),
    },
    wordpress: {
      code: script.wordpress.content,
      where: t(
        'Download the plugin, upload it under Plugins, Add New, and activate it. Or put this file into wp-content/plugins.',
      ),
    },
    nextjs: { code: script.nextjs, where: t('Add it to the root layout.') },
    shopify: {
      code: script.shopify,
      where: t('In the theme’s code, paste it into layout/theme.liquid before </head>.'),
    },
  }[way];
}

function mailTo(where: string, code: string): string {
  const subject = t('Call tracking script for our website');
  const body = [
    t('Hello,'),
    t('please add this script to every page of our website.'),
    where,
    code,
    t('It’s below 5 kB, loads without blocking the page and only changes phone numbers.'),
  ].join('\n\n');
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
