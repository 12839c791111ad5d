import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { Script } from '#contract/tracking/script-schemas';
import { tagManagerTemplate } from './tag-manager-template.ts';

interface Given {
  /** Where the installation is reached, without a slash at the end. */
  origin: string;
  companyKey: string;
  version: string;
  integrity: string;
}

type Snippets = Pick<
  Script,
  'snippet' | 'snippetLatest' | 'gtmSnippet' | 'gtmTemplate' | 'wordpress' | 'nextjs' | 'shopify'
>;

const PLUGIN = 'trunkline-call-tracking';

/** What a company copies into its website, for each way that websites are made. */
export async function snippetsOf({
  origin,
  companyKey,
  version,
  integrity,
}: Given): Promise<Snippets> {
  const folder = `${origin}/t/${companyKey}`;
  const latest = `${folder}/1/dni.js`;
  const pinned = `${folder}/${version}/dni.js`;
  const tag = `<script async src="${pinned}" integrity="${integrity}" crossorigin="anonymous"></script>`;
  const content = wordPressPlugin(tag, version);
  return {
    snippet: tag,
    snippetLatest: `<script async src="${latest}"></script>`,
    gtmSnippet: tagManagerTag(pinned, integrity),
    gtmTemplate: {
      fileName: 'template.tpl',
      content: tagManagerTemplate({ origin, companyKey, version }),
    },
    wordpress: {
      fileName: `${PLUGIN}.zip`,
      content,
      zip: await zipOf(`${PLUGIN}/${PLUGIN}.php`, content),
    },
    nextjs: [
      "import Script from 'next/script';",
      '',
      '{/* In app/layout.tsx, inside <body> */}',
      '<Script',
      `  src="${pinned}"`,
      `  integrity="${integrity}"`,
      '  crossOrigin="anonymous"',
      '  strategy="afterInteractive"',
      '/>',
    ].join('\n'),
    shopify: `{% comment %} layout/theme.liquid, before </head> {% endcomment %}\n${tag}`,
  };
}

/** Tag Manager strips the attributes of script tags, so code sets them. */
const tagManagerTag = (src: string, integrity: string): string =>
  [
    '<script>',
    '(function (d) {',
    "  var s = d.createElement('script');",
    '  s.async = true;',
    "  s.crossOrigin = 'anonymous';",
    `  s.integrity = '${integrity}';`,
    `  s.src = '${src}';`,
    '  (d.head || d.documentElement).appendChild(s);',
    '})(document);',
    '</script>',
  ].join('\n');

/** A zip with one file, base64: WordPress takes plugins as no other. */
async function zipOf(name: string, text: string): Promise<string> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(text), name, { mtime: new Date('2026-01-01') });
  zip.end();
  return (await buffer(zip.outputStream)).toString('base64');
}

const wordPressPlugin = (tag: string, version: string): string =>
  [
    '<?php',
    '/**',
    ' * Plugin Name: Trunkline call tracking',
    ' * Description: Shows each visitor the phone number that tells where they came from.',
    ` * Version: ${version}`,
    ' */',
    "defined('ABSPATH') || exit;",
    "add_action('wp_head', function () {",
    `  echo '${tag}', "\\n";`,
    '}, 1);',
    '',
  ].join('\n');
