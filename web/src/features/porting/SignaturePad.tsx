import { useEffect, useRef } from 'react';
import { Button, Group } from '@mantine/core';
import { t } from '#ui';
import css from './ports.module.css';

/** Where the pointer is on the canvas, which has two pixels per CSS pixel. */
function pointOn(canvas: HTMLCanvasElement, e: React.PointerEvent): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [(e.clientX - box.left) * 2, (e.clientY - box.top) * 2];
}

function beginStroke(e: React.PointerEvent<HTMLCanvasElement>): void {
  const canvas = e.currentTarget;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  canvas.setPointerCapture(e.pointerId);
  Object.assign(pen, {
    lineWidth: 4,
    lineCap: 'round',
    lineJoin: 'round',
    strokeStyle: '#1a1a1f',
  });
  pen.beginPath();
  pen.moveTo(...pointOn(canvas, e));
}

/**
 * A field to draw a signature by finger, pen or mouse. Passes a PNG `data:` URL to `onChange`; null
 * when cleared. Users who can't draw type their name instead.
 */
export function SignaturePad({ onChange }: { onChange: (drawing: string | null) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef(false);
  useEffect(() => {
    const el = canvas.current;
    if (!el) return;
    el.width = el.clientWidth * 2;
    el.height = el.clientHeight * 2;
  }, []);
  const draw = (e: React.PointerEvent<HTMLCanvasElement>): void => {
    const el = e.currentTarget;
    const pen = el.getContext('2d');
    if (!pen || !el.hasPointerCapture(e.pointerId)) return;
    pen.lineTo(...pointOn(el, e));
    pen.stroke();
    drawn.current = true;
  };
  const clear = (): void => {
    const el = canvas.current;
    el?.getContext('2d')?.clearRect(0, 0, el.width, el.height);
    drawn.current = false;
    onChange(null);
  };
  return (
    <div>
      <canvas
        ref={canvas}
        className={css.pad}
        role="img"
        aria-label={t('Draw your signature here')}
        onPointerDown={beginStroke}
        onPointerMove={draw}
        onPointerUp={(e) => {
          if (drawn.current) onChange(e.currentTarget.toDataURL('image/png'));
        }}
      />
      <Group justify="flex-end" mt={4}>
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t('Draw again')}
        </Button>
      </Group>
    </div>
  );
}
