(** * What [cost] says is true *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Measures Metrics Combinators Partition Parallel.
From DPchecker Require Import Json Language Meaning Alike Numbers Distances Losses Worst Rounding Points Promises Stability Far Grouped StepFacts
  Leaves Together Advanced Converted Parts Cost.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Sound.
Variable I : interpretation.
Notation data := (data I).
Notation release := (dist (released (users I))).

Definition close (m : measure) (n : node) (x y : data) (p : Q) (l : loss) : Prop := meets m (Q2R p) (denote n x) (denote n y) (real m l).

Definition sound (n : node) : Prop := forall md m xs fs d ls, 0 <= Q2R d -> cost md n m xs fs d = Some ls ->
  Forall nonneg_loss ls /\ length xs = length ls /\
  (forall x y, known fs (Q2R d) x y -> Forall2 (close m n x y) xs ls) /\
  (forall x y, known fs 0 x y -> same (denote n x : release) (denote n y)).

Lemma close_refl m n x xs ls : Forall nonneg_loss ls -> length xs = length ls -> Forall2 (close m n x x) xs ls.
Proof.
  intros N L. apply Forall2_of_Forall; [exact L|]. revert N; apply Forall_impl. intros l N p. apply meets_same_loss; auto.
Qed.

Lemma everywhere_ok (R : Q -> loss -> Prop) xs l : (forall p, R p l) -> Forall2 R xs (everywhere xs l).
Proof. intros H. apply Forall2_map_r. induction xs; constructor; auto. Qed.
Lemma everywhere_nonneg xs l : nonneg_loss l -> Forall nonneg_loss (everywhere xs l).
Proof. intros H. apply Forall_map, Forall_forall. auto. Qed.
Lemma everywhere_length xs l : length xs = length (everywhere xs l).
Proof. unfold everywhere. now rewrite map_length. Qed.

(** ** Premises, all asked in the same way *)
Section Premises.
Variables (md : mode) (m : measure) (ys : list Q) (fs : list fact) (d : Q) (ps : list node) (rows : list (list loss)).
Hypothesis d_nonneg : 0 <= Q2R d.
Hypothesis all_sound : Forall sound ps.
Hypothesis answers : Forall2 (fun p row => cost md p m ys fs d = Some row) ps rows.

Lemma rows_ok : Forall (Forall nonneg_loss) rows /\ Forall (fun row => length ys = length row) rows /\
  (forall x y, known fs (Q2R d) x y -> Forall2 (fun M row => Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) ys row) (map (denote (I := I)) ps) rows) /\
  (forall x y, known fs 0 x y -> Forall (fun M => same (M x) (M y)) (map (denote (I := I)) ps)).
Proof.
  revert all_sound. pose proof answers as A. clear answers. induction A as [|p row qs rs H _ IH]; intros S; [repeat split; constructor|].
  inversion S as [|? ? Hp Hs]; subst. destruct (Hp md m ys fs d row d_nonneg H) as (N & L & P & Z). destruct (IH Hs) as (N' & L' & P' & Z').
  split; [now constructor|]. split; [now constructor|]. split; intros x y K; simpl; constructor; auto. now apply P.
Qed.

(** At one point. *)
Lemma columns_at x y : known fs (Q2R d) x y ->
  Forall2 (fun p col => Forall2 (fun M l => meets m (Q2R p) (M x) (M y) (real m l)) (map (denote (I := I)) ps) col) ys (columns ys rows).
Proof. intros K. apply (columns_ok (fun M p l => meets m (Q2R p) (M x) (M y) (real m l))). now apply rows_ok. Qed.
End Premises.

Lemma one_point md m fs d ps rows x y : 0 <= Q2R d -> Forall sound ps -> Forall2 (fun p row => cost md p m [0%Q] fs d = Some row) ps rows ->
  known fs (Q2R d) x y -> Forall2 (fun M l => meets m (Q2R 0) (M x) (M y) (real m l)) (map (denote (I := I)) ps) (map (hd zero_loss) rows).
Proof.
  intros Hd S A K. pose proof (columns_at Hd S A K) as C. simpl in C. now inversion C.
Qed.

Lemma all_refl m A (P : dist A) xs ls : Forall nonneg_loss ls -> length xs = length ls -> Forall2 (fun q l => meets m (Q2R q) P P (real m l)) xs ls.
Proof. intros N L. apply Forall2_of_Forall; [exact L|]. revert N; apply Forall_impl. intros l N p. apply meets_same_loss; auto. Qed.

(** Measurements of parts: each is asked about data one step apart. *)
Section Of_parts.
Variables (md : mode) (m : measure) (ys : list Q) (fs : list fact) (D : domain) (ks : list constant) (e : R) (a b : constant -> list (row I)).
Hypothesis of_parts : known (of_rows fs) e (Parts D ks a : data) (Parts D ks b).
Hypothesis one : 0 <= Q2R 1.

Lemma part_known w e' u v : apart w e' (Rows D u : data) (Rows D v) -> known (Measured w :: of_rows fs) e' (Rows D u : data) (Rows D v).
Proof. intros S. apply Forall_cons; [exact S | apply (of_parts_again _ _ _ of_parts)]. Qed.

Lemma part_asked w (mt : Metrics.metric (list (row I))) n found : (forall e u v, mt e u v -> apart w e (Rows D u : data) (Rows D v)) -> sound n ->
  cost md n m ys (Measured w :: of_rows fs) 1 = Some found -> Forall2 (fun q l => @costs I mt m D n q l) ys found.
Proof.
  intros W H C. destruct (H md m ys _ 1%Q found one C) as (N & L & P & _). rewrite Q2R_1 in P.
  assert (F : Forall2 (fun (_ : Q) l => nonneg_loss l) ys found) by (apply Forall2_of_Forall; [exact L|]; revert N; apply Forall_impl; auto).
  pose proof (Forall2_all (fun uv : list (row I) * list (row I) => mt 1 (fst uv) (snd uv))
    (fun uv q l => meets m (Q2R q) (denote n (Rows D (fst uv) : data)) (denote n (Rows D (snd uv))) (real m l)) L
    (fun uv S => P _ _ (part_known (W _ _ _ S)))) as G.
  apply Forall2_weaken with (2 := Forall2_and F G). intros q l [Nl K]. split; [exact Nl|]. intros u v S. exact (K (u, v) S).
Qed.

Lemma at_once e' u v : symmetric e' u v -> apart Symmetric e' (Rows D u : data) (Rows D v). Proof. split; [reflexivity | assumption]. Qed.
Lemma at_change e' u v : change_one e' u v -> apart ChangeOne e' (Rows D u : data) (Rows D v). Proof. split; [reflexivity | assumption]. Qed.

Lemma parts_at ps rows : Forall sound ps -> Forall2 (fun p row => cost md p m ys (Measured Symmetric :: of_rows fs) 1 = Some row) ps rows ->
  Forall (@orderless I D) ps /\ Forall2 (fun q col => Forall2 (fun n l => @costs I symmetric m D n q l) ps col) ys (columns ys rows).
Proof.
  intros S A. split.
  - revert S. induction A as [|p row ps rows C _ IH]; intros S; constructor; inversion S as [|? ? Hp Hs]; subst; [|now apply IH].
    intros u v T. apply (Hp md m ys _ 1%Q row one C). apply part_known. now apply at_once.
  - apply (columns_ok (fun n q l => @costs I symmetric m D n q l)).
    revert S. induction A as [|p row ps rows C _ IH]; intros S; constructor; inversion S as [|? ? Hp Hs]; subst; [|now apply IH].
    exact (part_asked at_once Hp C).
Qed.

Lemma changed_at ps qs rows : Forall sound qs -> list_eqb alike ps qs = true ->
  Forall2 (fun p row => cost md p m ys (Measured ChangeOne :: of_rows fs) 1 = Some row) qs rows ->
  Forall2 (fun q col => Forall2 (fun n l => @costs I change_one m D n q l) ps col) ys (columns ys rows).
Proof.
  intros S E A. apply (columns_ok (fun n q l => @costs I change_one m D n q l)).
  revert ps S E. induction A as [|p row qs rows C _ IH]; intros [|x ps] S E; try discriminate; constructor; inversion S as [|? ? Hp Hs]; subst;
  simpl in E; apply andb_prop in E; destruct E as [E E']; [|now apply IH].
  apply Forall2_weaken with (2 := part_asked at_change Hp C). intros q l [N P]. split; [exact N|]. intros u v T. rewrite (alike_ok I x p E). now apply P.
Qed.
End Of_parts.

(** ** The tree *)
Theorem cost_ok n : promises I n -> sound n.
Proof.
  induction n as [r ps IH] using node_ind'. intros Kept md m xs fs d ls Hd H. destruct (promises_all Kept) as [Own Kept_below].
  apply (@Forall_of_both _ (promises I) sound ps Kept_below) in IH.
  assert (Leaf : ps = [] -> leaf_cost r m xs fs d = Some ls -> (forall x, denote (Tree r ps) x = measure_rule r x :> release) ->
    Forall nonneg_loss ls /\ length xs = length ls /\ (forall x y, known fs (Q2R d) x y -> Forall2 (close m (Tree r ps) x y) xs ls) /\
    (forall x y, known fs 0 x y -> same (denote (Tree r ps) x : release) (denote (Tree r ps) y))).
  { intros -> C E. unfold leaf_cost in C. destruct (cost_rule r fs d) as [[k l]|] eqn:C'; [|discriminate].
    destruct (measure_eqb m k) eqn:Em; [|discriminate]. apply measure_eqb_eq in Em. subst k. injection C as <-.
    destruct (cost_rule_ok I 0 Hd C') as (N & _ & Z). split; [now apply everywhere_nonneg|]. split; [apply everywhere_length|]. split; intros x y K.
    - apply everywhere_ok. intros p. unfold close. rewrite !E. now apply (cost_rule_ok I (Q2R p) Hd C').
    - rewrite !E. now apply Z. }
  destruct r; try (destruct ps; [|discriminate H]; apply Leaf; [reflexivity | exact H | reflexivity]); clear Leaf.
  - (* Chain *)
    clear Kept Own. revert fs d H Hd. induction IH as [|p ps Hp IH IHps]; inversion Kept_below as [|u v Kp Kps]; subst; intros fs d H Hd; [discriminate|].
    destruct ps as [|q ps].
    + change (cost md p m xs fs d = Some ls) in H. exact (Hp md m xs fs d ls Hd H).
    + change (match far p fs with Some (gs, f) => cost md (Tree Chain (q :: ps)) m xs gs (fold_left (fun d f => at_q f d) f d) | None => None end = Some ls) in H.
      destruct (far p fs) as [[gs f]|] eqn:F; [|discriminate]. destruct (far_ok Kp F) as [G S].
      assert (Hq : Q2R 0 <= Q2R (fold_left (fun d f => at_q f d) f d)).
      { rewrite Q2R_0. eapply Rle_trans; [apply (at_all_nonneg G Hd) | now apply at_all_q]. }
      rewrite Q2R_0 in Hq. destruct (IHps Kps gs _ H Hq) as (N & L & P & Z). split; [exact N|]. split; [exact L|].
      split; intros x y K.
      * change (Forall2 (close m (Tree Chain (q :: ps)) (run p x) (run p y)) xs ls). destruct (S _ x y Hd K) as [K'|[-> ->]]; [|now apply close_refl].
        apply P. eapply known_le; [|exact K']. now apply at_all_q.
      * change (same (denote (Tree Chain (q :: ps)) (run p x) : release) (denote (Tree Chain (q :: ps)) (run p y))).
        destruct (S 0 x y (Rle_refl 0) K) as [K'|[-> ->]]; [|apply same_refl]. apply Z. now rewrite at_all_0 in K'.
  - (* PostProcess *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H.
    destruct (Hp md m xs fs d ls Hd H) as (N & L & P & Z). split; [exact N|]. split; [exact L|]. split; intros x y K.
    + apply Forall2_weaken with (2 := P x y K). intros q l C. unfold close. cbn [denote map combined]. now apply meets_post.
    + cbn [denote map combined]. apply same_bind; [now apply Z | auto].
  - (* Convert *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H. unfold bind_option, guard in H.
    destruct (measure_eqb m target) eqn:E; [|discriminate]. apply measure_eqb_eq in E. subst target.
    destruct (cost md p source (asked source m witness) fs d) as [ks|] eqn:C; [|discriminate].
    destruct (Hp md source _ fs d ks Hd C) as (N & _ & P & Z). destruct (@converted_ok _ (ret tt) (ret tt) md source m tight parameter witness xs ks ls N H) as (N' & L' & _).
    split; [exact N'|]. split; [exact L'|]. split; intros x y K.
    + change (Forall2 (fun q l => meets m (Q2R q) (denote p x) (denote p y) (real m l)) xs ls).
      apply (@converted_ok _ (denote p x) (denote p y) md source m tight parameter witness xs ks ls N H); [exact (P x y K) | exact (P y x (known_sym K))].
    + cbn [denote map combined]. now apply Z.
  - (* Compose *)
    cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0) eqn:E; [|discriminate]. apply measure_eqb_eq in E. subst m0.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C. destruct (rows_ok Hd IH C) as (N & L & P & Z).
    split; [exact (@together_at_nonneg md m xs rows ls H N)|]. split; [exact (@together_at_length md m xs rows ls H L)|]. split; intros x y K.
    + assert (Q' : Forall2 (fun p l => meets m (Q2R p) (all (map (denote (I := I)) ps) x) (all (map (denote (I := I)) ps) y) (real m l)) xs ls)
        by (apply (@together_at_ok md m xs rows ls H); now apply P).
      apply Forall2_weaken with (2 := Q'). intros p l Q1. destruct ps as [|p0 [|p1 ps]]; unfold close; cbn [denote map combined]; now apply meets_post.
    + destruct ps as [|p0 [|p1 ps]]; cbn [denote map combined]; (apply same_bind; [|auto]); apply all_same; now apply Z.
  - (* Advanced *)
    destruct ps as [|p0 ps0]; [discriminate H|]. cbn [cost] in H. set (ps := p0 :: ps0) in *. unfold bind_option, guard in H.
    destruct (measure_eqb m MApprox && takes_advanced m0 && above_0 slack && above_0 (1 - slack))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[E T] S1] S2]. apply measure_eqb_eq in E. subst m. apply above_0_R in S1, S2. rewrite Q2R_minus, Q2R_1 in S2.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C.
    destruct (advanced md m0 slack (map (hd zero_loss) rows)) as [k|] eqn:Ad; [|discriminate]. injection H as <-.
    destruct (rows_ok Hd IH C) as (N & _ & _ & Z).
    assert (Nl : Forall nonneg_loss (map (hd zero_loss) rows)).
    { apply Forall_map. revert N; apply Forall_impl. intros [|l row] Nr; [apply nonneg_zero_loss | now inversion Nr]. }
    assert (Sl : 0 < Q2R slack < 1) by lra. destruct (@advanced_ok md m0 slack _ k Nl Sl Ad T) as [Nk A].
    split; [now apply everywhere_nonneg|]. split; [apply everywhere_length|]. split; intros x y K.
    + apply everywhere_ok. intros q. unfold close. change (denote (Tree (Advanced m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply meets_post. apply (A data (released (users I)) (map (denote (I := I)) ps) (Q2R 0)).
      * exact (one_point Hd IH C K).
      * exact (one_point Hd IH C (known_sym K)).
    + change (denote (Tree (Advanced m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. apply all_same. now apply Z.
  - (* Optimal *)
    destruct ps; discriminate H.
  - (* Group *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H. unfold bind_option, guard in H.
    destruct (measure_eqb m m0) eqn:E; [|discriminate]. apply measure_eqb_eq in E. subst m0. destruct (step_facts fs) as [gs|] eqn:S; [|discriminate].
    destruct (cost md p m (points_of_step m d xs) gs 1) as [ks|] eqn:C; [|discriminate].
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra). destruct (Hp md m _ gs 1%Q ks H1 C) as (N & L & P & Z). rewrite Q2R_1 in P.
    destruct (@step_facts_ok I fs gs S) as [W G]. assert (F : Forall nonneg_loss ls /\ length xs = length ls) by (now apply (@lifted_nonneg_length md m d xs _ ls Hd H)).
    split; [apply F|]. split; [apply F|]. split; intros x y K.
    + apply W in K. exact (G (denote p) md m d xs ks ls x y Hd H L N P Z K).
    + cbn [denote map combined]. apply Z, W, K.
  - (* ParallelSymmetric *)
    cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && lifts m)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E Lf]. apply measure_eqb_eq in E. subst m0.
    destruct (has (Part Symmetric) fs && distinct keys && Nat.eqb (length keys) (length ps))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3]. apply distinct_ok in E2. apply Nat.eqb_eq in E3. cbv zeta in H.
    set (ys := points_of_step m d xs) in *. destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C.
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra). destruct (rows_ok H1 IH C) as (N & _ & _ & _).
    set (w := map worst (columns ys rows)) in *.
    assert (Nw : Forall nonneg_loss w) by (apply Forall_map, Forall_forall; intros; apply worst_nonneg).
    assert (Lw : length ys = length w) by (unfold w; now rewrite map_length, columns_length).
    assert (F : Forall nonneg_loss ls /\ length xs = length ls) by (now apply (@lifted_nonneg_length md m d xs _ ls Hd H)).
    assert (NT : m <> MTradeoff) by (intros ->; discriminate).
    split; [apply F|]. split; [apply F|].
    set (Ms := map (denote (I := I)) ps).
    split; intros x y K; pose proof (has_ok E1 K) as A; destruct x as [| | | |of ks a|], y as [| | | |of' ks' b|]; cbn [apart] in A; try tauto; destruct A as (<- & <- & A);
    destruct (parts_at (of_rows_parts K) H1 IH C) as [O Mv].
    + change (Forall2 (fun q l => meets m (Q2R q) (parallel_rule Ms keys (Parts of ks a)) (parallel_rule Ms keys (Parts of ks b)) (real m l)) xs ls).
      cbn [parallel_rule]. destruct (constants_eqb keys ks) eqn:Ek; [apply constants_eqb_eq in Ek; subst ks | now apply all_refl].
      apply (@group_at _ _ (parts_symmetric keys) (fun p => bind (parallel (in_part Ms keys of) keys p) (fun l => ret (Several l))) md m d xs w ls _ _
        (whole_parts_symmetric constant_dec E2) Hd H Lw Nw); [| | exact A]; intros u v S.
      * apply Forall2_map_r. apply Forall2_weaken with (2 := Mv). intros q col Mq. apply meets_post.
        rewrite <- (app_nil_r Ms). exact (parallel_close [] E2 E3 O Mq NT S).
      * apply same_bind; [|auto]. rewrite <- (app_nil_r Ms). exact (parallel_same [] E3 O (parts_symmetric_0 E2 S)).
    + change (same (parallel_rule Ms keys (Parts of ks a)) (parallel_rule Ms keys (Parts of ks b) : release)).
      cbn [parallel_rule]. destruct (constants_eqb keys ks) eqn:Ek; [apply constants_eqb_eq in Ek; subst ks | auto].
      apply same_bind; [|auto]. rewrite <- (app_nil_r Ms). exact (parallel_same [] E3 O (parts_symmetric_0 E2 A)).
  - (* ParallelChangeOne *)
    cbn [cost] in H. cbv zeta in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && adds m)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E Ad]. apply measure_eqb_eq in E. subst m0. set (n := length keys) in *.
    destruct (has (Part ChangeOne) fs && distinct keys && Nat.eqb (n + n) (length ps))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3]. apply distinct_ok in E2. apply Nat.eqb_eq in E3.
    destruct (list_eqb alike (firstn n ps) (skipn n ps)) eqn:E4; [|discriminate].
    set (ys := points_of_step m d xs) in *. destruct (halves _ _ n ps) as [rows|] eqn:C; [|discriminate]. apply halves_ok in C. destruct C as [C C'].
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
    set (w := map _ (combine _ _)) in *.
    assert (Nw : Forall nonneg_loss w) by (apply Forall_map, Forall_forall; intros; apply worst_nonneg).
    assert (Lw : length ys = length w) by (unfold w; rewrite map_length, combine_length, !columns_length; lia).
    assert (F : Forall nonneg_loss ls /\ length xs = length ls) by (now apply (@lifted_nonneg_length md m d xs _ ls Hd H)).
    split; [apply F|]. split; [apply F|]. set (Ms := map (denote (I := I)) ps).
    assert (I1 : Forall sound (firstn n ps) /\ Forall sound (skipn n ps)) by (rewrite <- (firstn_skipn n ps) in IH; now apply Forall_app in IH).
    destruct I1 as [IF IS]. assert (LF : n = length (firstn n ps)) by (rewrite firstn_length; lia).
    assert (Msplit : Ms = (map (denote (I := I)) (firstn n ps) ++ map (denote (I := I)) (skipn n ps))%list) by (unfold Ms; rewrite <- map_app; now rewrite firstn_skipn).
    split; intros x y K; pose proof (has_ok E1 K) as A; destruct x as [| | | |of ks a|], y as [| | | |of' ks' b|]; cbn [apart] in A; try tauto; destruct A as (<- & <- & A);
    destruct (parts_at (of_rows_parts K) H1 IF C) as [O Mv].
    + change (Forall2 (fun q l => meets m (Q2R q) (parallel_rule Ms keys (Parts of ks a)) (parallel_rule Ms keys (Parts of ks b)) (real m l)) xs ls).
      cbn [parallel_rule]. destruct (constants_eqb keys ks) eqn:Ek; [apply constants_eqb_eq in Ek; subst ks | now apply all_refl].
      pose proof (changed_at (of_rows_parts K) H1 IS E4 C') as Mc.
      apply (@group_at _ _ (parts_change_one keys) (fun p => bind (parallel (in_part Ms keys of) keys p) (fun l => ret (Several l))) md m d xs w ls _ _
        (whole_parts_change_one constant_dec E2) Hd H Lw Nw); [| | exact A]; intros u v S.
      * apply Forall2_map_r. apply Forall2_weaken with (2 := Forall2_combine Mv Mc). intros q [col col'] [Mq Mq']. cbn [fst snd]. apply meets_post.
        rewrite Msplit. exact (parallel_change_close _ E2 LF O Mq Mq' Ad S).
      * apply same_bind; [|auto]. rewrite Msplit. exact (parallel_same _ LF O (parts_change_one_0 E2 S)).
    + change (same (parallel_rule Ms keys (Parts of ks a)) (parallel_rule Ms keys (Parts of ks b) : release)).
      cbn [parallel_rule]. destruct (constants_eqb keys ks) eqn:Ek; [apply constants_eqb_eq in Ek; subst ks | auto].
      apply same_bind; [|auto]. rewrite Msplit. exact (parallel_same _ LF O (parts_change_one_0 E2 A)).
Qed.
End Sound.
