# A line with points for each series along the horizontal axis, with bars or a band; a dotted line at
# `middle`. Series after the first `pointed` ones have no points, and the last `across` of these are
# level. The first `untrained` series without points are hollow points: values of rows before training.
# data.dat has a block for each series: x, value, lower and upper end of the bar. With `seeds`, it has
# another block for each series with points: x, value of a seed. With `loose`, a line is dotted where it
# has no bar or band
gap = bands ? 0 : smaller(0.015 * (x_high - x_low), 0.4 * x_least / larger(pointed, 1))
apart(i) = (i - (pointed + 1) / 2.0) * (pointed > 1 ? gap : 0)
shifted(x, i) = value_of(along(x) + apart(i))
if (series > pointed + 1 && !legend) { set key samplen 4.5 }
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
        lc rgb '#6b6b6b' back
}
if (exists('mark')) {
    set arrow from first mark, graph 0 to first mark, graph 1 nohead lw 0.8 dt dots(marked) \
        lc rgb hue(marked) back
}
before = marked && untrained
if (!exists('loose')) { loose = 0 }
firm(low, y) = !loose || low == low ? y : NaN
again(i) = (i - 1) % larger(pointed, 1) + 1 # with `loose`, the dotted lines are drawn after the others
dashes(i) = i > pointed ? 3 : dots(i)
plot for [i = 1:bands] 'data.dat' index base + i - 1 using 1:3:4 with filledcurves \
         fc rgb hue(i) fs transparent solid 0.16 noborder notitle, \
     for [i = pointed + 1:pointed + against] 'data.dat' index base + i - 1 using 1:2 with lines lw 1.2 \
         dt dots(i) lc rgb hue(i) notitle, \
     for [i = pointed + 1:pointed + across] 'data.dat' index base + i - 1 \
         using (value_of(x_low)):2:(value_of(x_high) - value_of(x_low)):(0) with vectors nohead lw 1.2 dt dots(i) lc rgb hue(i) \
         notitle, \
     for [i = 1:(seeds ? pointed : 0)] '' index base + i - 1 + pointed + across \
         using (shifted($1, i)):2 with points pt 7 ps 0.16 * dot lc rgb hue(i) notitle, \
     for [i = bands + 1:pointed] 'data.dat' index base + i - 1 using (shifted($1, i)):3:(0):($4 - $3) \
         with vectors heads size graph 0.007,90 lw 0.8 lc rgb hue(i) notitle, \
     for [i = 1:pointed * (1 + loose)] 'data.dat' index base + again(i) - 1 \
         using (shifted($1, again(i))):(i > pointed ? $2 : firm($3, $2)) with lines \
         lw 1.2 dt dashes(i) lc rgb hue(again(i)) notitle, \
     for [i = 1:untrained] 'data.dat' index base + pointed + i - 1 using (shifted($1, i)):2 with points \
         pt hollow(i) ps 0.4 * dot * bulk(i) lw 0.7 lc rgb color(i) notitle, \
     for [i = 1:pointed] 'data.dat' index base + i - 1 using (shifted($1, i)):2 with points \
         pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 lc rgb hue(i) notitle, \
     for [i = 1:pointed] keyentry with linespoints pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 \
         dt dots(i) lc rgb hue(i) title T[row + i - 1], \
     for [i = pointed + 1:series - before] keyentry with lines lw 1.2 dt dots(i) \
         lc rgb hue(i) title named(i), \
     for [i = series:(before ? series : 0)] keyentry with points pt 6 ps 0.4 * dot lw 0.7 \
         lc rgb (pointed == 1 ? color(1) : hue(i)) title named(i)
