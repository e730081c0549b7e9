# A figure without any value: an empty frame with a text.
unset key
unset tics
unset grid
set border lw 0.6 lc rgb '#6b6b6b'
set xlabel T[label_x]
set ylabel T[label_y]
set label 1 T[empty] at graph 0.5, 0.58 center
set label 2 T[empty + 1] at graph 0.5, 0.44 center
plot [0:1][0:1] NaN notitle
