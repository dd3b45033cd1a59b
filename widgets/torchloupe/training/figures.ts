/** Numbers as they are written in the picture. */

const LEAST_PLAIN = 1e-3;
const MOST_PLAIN = 1e5;

/** `value` with so many significant digits at most: `0.416`, `2e-3`, `1.4e-7`. */
export function figure(value: number, digits: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const plain = size === 0 || (size >= LEAST_PLAIN && size < MOST_PLAIN);
  const text = plain ? String(Number(value.toPrecision(digits))) : power(value, digits);
  return text.replace(/^-/, "−");
}

/** As `figure`, with trailing zeros kept, so that a number that changes keeps its width: `0.410`. */
export function steady(value: number, digits: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || (size !== 0 && (size < LEAST_PLAIN || size >= MOST_PLAIN)))
    return figure(value, digits);
  const before = Math.max(Math.floor(Math.log10(Math.max(size, 0.1))) + 1, 0);
  return value.toFixed(Math.max(digits - before, 0)).replace(/^-/, "−");
}

function power(value: number, digits: number): string {
  const [lead = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  return `${Number(lead)}e${Number(exponent)}`;
}

/** A norm with two digits and its power of ten: `1.8e-2`. */
export function scientific(value: number): string {
  if (!Number.isFinite(value)) return figure(value, 2);
  return value.toExponential(1).replace("e+", "e");
}

/** A step with thousands parted: `1,240`. */
export function count(step: number): string {
  return String(step).replace(/\B(?=(\d{3})+$)/g, ",");
}
