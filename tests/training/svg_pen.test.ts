/** What is painted with the SVG pen. */

import assert from "node:assert/strict";
import test from "node:test";
import { escaped, SvgPen } from "../../widgets/torchloupe/training/svg_pen";

/** A ruler for text: six px a letter. */
const ruler = { font: "", measureText: (text: string) => ({ width: 6 * text.length }) };

function pen(): SvgPen {
  return new SvgPen(ruler as unknown as CanvasRenderingContext2D, "clip");
}

test("names are text, never markup", () => {
  assert.equal(escaped('<a b="&">\u0007'), "&lt;a b=&quot;&amp;&quot;&gt; ");
  const one = pen();
  one.font = 'bold 11px "Noto Sans"';
  one.fillText("</text><script>", 1, 2);
  const written = one.document(10, 20, "#fff", "<title>", "a & b");
  assert.ok(!written.includes("<script>") && written.includes("&lt;/text&gt;&lt;script&gt;"));
  assert.ok(written.includes('style="font:bold 11px &quot;Noto Sans&quot;"'));
  assert.ok(written.startsWith('<svg xmlns="http://www.w3.org/2000/svg"') && written.endsWith("</svg>"));
});

test("every clip is closed where its state is restored, or at the end", () => {
  const one = pen();
  one.save();
  one.beginPath();
  one.rect(0, 0, 5, 5);
  one.clip();
  one.save();
  one.clip();
  one.restore();
  one.restore();
  one.clip();
  const written = one.document(1, 1, "#fff", "", "");
  assert.equal(written.match(/<g /g)?.length, 3);
  assert.equal(written.match(/<\/g>/g)?.length, 3);
  assert.equal(new Set(written.match(/id="[^"]+"/g)).size, 3);
});

test("looks are saved and restored", () => {
  const one = pen();
  one.strokeStyle = "red";
  one.globalAlpha = 0.5;
  one.setLineDash([3, 2]);
  one.save();
  one.strokeStyle = "blue";
  one.globalAlpha = 1;
  one.setLineDash([]);
  one.restore();
  one.beginPath();
  one.moveTo(0, 0);
  one.lineTo(1.234567, 1);
  one.stroke();
  const written = one.document(1, 1, "#fff", "", "");
  for (const part of ['stroke="red"', 'stroke-opacity="0.5"', 'stroke-dasharray="3 2"', "M0 0L1.23 1"]) {
    assert.ok(written.includes(part), part);
  }
});

test("a corner is rounded between its two sides", () => {
  const one = pen();
  one.beginPath();
  one.moveTo(0, 10);
  one.arcTo(0, 0, 20, 0, 4);
  one.lineTo(20, 0);
  one.stroke();
  assert.ok(one.document(1, 1, "#fff", "", "").includes("M0 10L0 4Q0 0 4 0L20 0"));
});
