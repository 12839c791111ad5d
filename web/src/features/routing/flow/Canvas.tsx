import { useMemo, useRef, useState } from 'react';
import { Controls, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { t } from '#ui';
import css from './Canvas.module.css';
import type { PaletteItem, InsertPoint } from './edit.ts';
import { FlowEdgeView, type FlowEdge } from './FlowEdge.tsx';
import type { FlowGraph } from './graph.ts';
import type { PathHighlight } from './highlight-path.ts';
import { layOut, type Layout } from './layout.ts';
import { draggedItem } from './Palette.tsx';
import { StepBox, type StepNode } from './StepBox.tsx';
import { moveDuration, useCanvasView } from './use-canvas-view.ts';

interface CanvasProps {
  graph: FlowGraph;
  highlight: PathHighlight | null;
  selected: string | null;
  mayEdit: boolean;
  onSelect: (id: string | null) => void;
  onDrop: (item: PaletteItem, insertPoint: InsertPoint) => void;
  onRemove: (id: string) => void;
}

const nodeTypes = { step: StepBox };
const edgeTypes = { link: FlowEdgeView };

/** The step or link under the pointer. */
function insertPointAt(
  target: EventTarget,
  graph: FlowGraph,
): { id: string; insertPoint: InsertPoint } | null {
  const element =
    target instanceof Element
      ? target.closest<HTMLElement>('.react-flow__node, .react-flow__edge')
      : null;
  const id = element?.dataset['id'];
  if (id === undefined) return null;
  const link = graph.links.find((one) => one.id === id);
  return { id, insertPoint: link ? { from: link.from, to: link.to } : { step: id } };
}

interface Drawn extends Pick<CanvasProps, 'graph' | 'highlight' | 'selected'> {
  layout: Layout;
  /** Id of the step or link that something is dragged over. */
  dropTarget: string | null;
}

const nodesOf = ({ graph, highlight, selected, layout, dropTarget }: Drawn): StepNode[] =>
  graph.steps.map((step) => {
    const { x, y, width, height } = layout.steps.get(step.id) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    return {
      id: step.id,
      type: 'step',
      position: { x, y },
      width,
      height,
      selected: selected === step.id,
      draggable: false,
      connectable: false,
      deletable: false,
      ariaLabel: `${step.title}. ${step.about}`,
      data: {
        step,
        reasons: highlight?.steps.get(step.id),
        rungRows: highlight?.rows ?? new Set(),
        isTested: highlight !== null,
        isDropTarget: dropTarget === step.id,
      },
    };
  });

const edgesOf = ({ graph, highlight, selected, layout, dropTarget }: Drawn): FlowEdge[] =>
  graph.links.map((link) => {
    const place = layout.links.get(link.id);
    const isLit = highlight?.links.has(link.id) ?? false;
    const isDim = highlight !== null && !isLit;
    const isDropTarget = dropTarget === link.id;
    return {
      id: link.id,
      source: link.from,
      target: link.to,
      sourceHandle: place?.leaves ?? 'bottom',
      targetHandle: 'top',
      type: 'link',
      label: link.label,
      selected: selected === link.id,
      focusable: false,
      deletable: false,
      zIndex: isLit ? 1 : 0,
      className: [css.link, isLit && css.lit, isDim && css.dim, isDropTarget && css.over]
        .filter(Boolean)
        .join(' '),
      data: { isLit, isDropTarget, labelAt: place?.label ?? { x: 0, y: 0 } },
    };
  });

function Drawing({ graph, highlight, selected, mayEdit, onSelect, onDrop, onRemove }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const [dropTarget, setDropTarget] = useState<string | null>(null);
  const layout = useMemo(() => layOut(graph), [graph]);
  const [nodes, edges] = useMemo(() => {
    const drawn = { graph, highlight, selected, layout, dropTarget };
    return [nodesOf(drawn), edgesOf(drawn)];
  }, [graph, highlight, selected, layout, dropTarget]);
  useCanvasView(box, graph, layout.steps, selected);
  const selectChanged = (changes: readonly { type: string }[]): void => {
    for (const change of changes) if (isSelection(change) && change.selected) onSelect(change.id);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- what is dropped here can be added with the palette's buttons; Delete is the panel's Remove
    <div
      ref={box}
      className={css.canvas}
      onKeyDown={(event) => {
        const isDelete = event.key === 'Delete' || event.key === 'Backspace';
        if (!mayEdit || selected === null || !isDelete) return;
        event.preventDefault();
        onRemove(selected);
      }}
      onDragOver={(event) => {
        if (!mayEdit) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setDropTarget(insertPointAt(event.target, graph)?.id ?? null);
      }}
      onDragLeave={() => setDropTarget(null)}
      onDrop={(event) => {
        const item = draggedItem(event.dataTransfer);
        setDropTarget(null);
        if (!mayEdit || item === null) return;
        event.preventDefault();
        onDrop(item, insertPointAt(event.target, graph)?.insertPoint ?? null);
      }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        {...fixed}
        fitViewOptions={{ padding: 0.08, maxZoom: 1, duration: moveDuration() }}
        onNodesChange={selectChanged}
        onEdgesChange={selectChanged}
        onPaneClick={() => onSelect(null)}
        ariaLabelConfig={ariaLabels()}
      >
        <Controls
          showInteractive={false}
          position="top-right"
          orientation="horizontal"
          className={css.controls ?? ''}
        />
      </ReactFlow>
    </div>
  );
}

const isSelection = (change: {
  type: string;
}): change is { type: 'select'; id: string; selected: boolean } => change.type === 'select';

/** Steps are placed by the layout and edited in the panel, never by moving or connecting boxes. */
const fixed = {
  nodeTypes,
  edgeTypes,
  minZoom: 0.2,
  maxZoom: 1.6,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: true,
  elementsSelectable: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  proOptions: { hideAttribution: true },
} as const;

const ariaLabels = () => ({
  'node.a11yDescription.default': t('Press Enter to open this step.'),
  'node.a11yDescription.keyboardDisabled': t('Press Enter to open this step.'),
  'controls.ariaLabel': t('Zoom'),
  'controls.zoomIn.ariaLabel': t('Zoom in'),
  'controls.zoomOut.ariaLabel': t('Zoom out'),
  'controls.fitView.ariaLabel': t('Fit to view'),
});

/** The flow as a drawing, from the call at the top down to where it ends. Loaded when the editor is opened. */
export default function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}
